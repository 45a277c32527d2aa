"""Keys of chat, mail, phone and push, and the addresses that let anyone post."""

from __future__ import annotations

from itertools import product

from recollect.redaction.rules import (
    ALNUM,
    BASE64,
    END,
    HEX,
    LOWER,
    SAFE,
    START,
    UUID,
    SecretRule,
    anywhere,
    prefixed,
    shaped,
)
from recollect.redaction.values import has_digit

# A Discord token begins with the bot's number, in digits, as base64. These are all the ways that can begin.
_DIGITS_IN_BASE64 = tuple("".join(letters) for letters in product("mno", "dtjz", "aeimquycgk", "wxyz012345"))

CHAT = (
    prefixed(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb-",
        ALNUM + "%/+-",
        "20,",
        check=has_digit,
    ),
    prefixed("slack-token", "xapp-", ALNUM + "-", "20,", check=has_digit),
    prefixed("slack-token", "xwfp-", ALNUM + "-", "20,", check=has_digit),
    anywhere(
        "slack-webhook",
        ("hooks.slack.com/", "hooks.slack-gov.com/"),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{20,}+)",
    ),
    SecretRule(
        "discord-token",
        _DIGITS_IN_BASE64,
        START + r"[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}+(?![A-Za-z0-9_-])",
        entropy=3.5,
    ),
    shaped("discord-token", "mfa.", r"mfa\.[A-Za-z0-9_-]{80,}+"),
    anywhere(
        "discord-webhook",
        ("discord.com/api/", "discordapp.com/api/"),
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{40,}+)",
    ),
    anywhere("telegram-token", (":aa",), r"(?<=[0-9]{8}):(AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])", entropy=3.5),
    anywhere(
        "teams-webhook",
        (".webhook.office.com/", "outlook.office.com/webhook"),
        rf"(?:\.webhook|outlook)\.office\.com/webhook(?:b2)?/({UUID}@{UUID}/IncomingWebhook/[A-Za-z0-9]{{32}}/{UUID}(?:/[A-Za-z0-9_-]{{1,64}})?)",
    ),
    anywhere(
        "lark-webhook",
        ("/open-apis/bot/",),
        rf"/open-apis/bot/(?:v2/)?hook/({UUID}|[A-Za-z0-9_-]{{20,}}+)",
    ),
    anywhere("wecom-webhook", ("/cgi-bin/webhook/send?key=",), rf"/cgi-bin/webhook/send\?key=({UUID})"),
    anywhere(
        "zapier-webhook",
        ("hooks.zapier.com/",),
        r"hooks\.zapier\.com/hooks/catch/([0-9]{4,12}/[A-Za-z0-9]{6,}+)",
        entropy=2.0,
    ),
    anywhere("ifttt-webhook", ("maker.ifttt.com/",), r"maker\.ifttt\.com/[^\s\"']{0,100}?/key/([A-Za-z0-9_-]{20,}+)"),
    anywhere(
        "make-webhook", (".make.com/", ".integromat.com/"), r"(?<=hook\.[a-z]{2}[0-9])\.make\.com/([a-z0-9]{30,}+)"
    ),
    prefixed("matrix-token", "syt_", ALNUM + "_=+/-", "30,"),
    prefixed("mattermost-token", "mmauthtoken=", LOWER, "26"),
)

MAIL = (
    shaped("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,24}\.[A-Za-z0-9_-]{38,50}+"),
    prefixed("mailgun-key", "key-", HEX, "32", entropy=3.0),
    shaped("mailgun-key", "pubkey-", rf"pubkey-[0-9a-f]{{32}}{END}"),
    # Mailgun's newer keys and Mailchimp's have their sign behind.
    SecretRule("mailchimp-key", ("-us",), rf"(?<![A-Za-z0-9])[0-9a-f]{{32}}-us[0-9]{{1,2}}{END}", back=32),
    prefixed("mandrill-key", "md-", SAFE, "22", entropy=3.5, check=has_digit),
    shaped("resend-key", "re_", rf"re_[A-Za-z0-9]{{6,12}}_[A-Za-z0-9]{{20,30}}{END}", entropy=3.0),
    prefixed("brevo-key", "xkeysib- xsmtpsib-", LOWER + "A-Z-", "60,"),
    prefixed("mailersend-token", "mlsn.", HEX, "64"),
    prefixed("kit-key", "kit_", HEX, "32"),
    prefixed("klaviyo-key", "pk_", HEX, "34", entropy=3.0),
    prefixed("intercom-token", "dG9rO", BASE64 + "=_-", "50,"),
)

PHONE = (
    SecretRule(
        "twilio-key",
        tuple(f"{head}{digit}" for head in ("sk", "ac") for digit in "0123456789abcdef"),
        START + rf"(?:SK|AC)[0-9a-f]{{32}}{END}",
        entropy=3.0,
    ),
    shaped("telnyx-key", "key0", r"KEY0[0-9A-F]{30,}+_[A-Za-z0-9]{20,}+"),
    prefixed("onesignal-key", "os_v2_app_ os_v2_org_", LOWER, "60,"),
    prefixed("pushbullet-token", "o.", ALNUM, "32", entropy=3.5, check=has_digit),
    prefixed("pubnub-key", "sec-c-", ALNUM + "=-", "36,"),
    anywhere("expo-token", ("exponentpushtoken[",), r"ExponentPushToken\[([A-Za-z0-9_-]{20,}+)\]"),
    prefixed("courier-key", "pk_prod_ pk_test_ dk_prod_", ALNUM, "20,", check=has_digit),
)

RULES: tuple[SecretRule, ...] = (*CHAT, *MAIL, *PHONE)
