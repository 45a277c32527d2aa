"""Keys of what people work with: code hosts and registries, models, payments, messages, services, publishing."""

from __future__ import annotations

from itertools import product

from recollect.redaction.rules import (
    ALNUM,
    ANYHEX,
    BASE64,
    END,
    HEX,
    LOWER,
    SAFE,
    START,
    UPPER,
    UUID,
    WORD,
    SecretRule,
    anywhere,
    prefixed,
    shaped,
)
from recollect.redaction.values import has_digit

# Routable tokens carry a checksum after a dot.
_GITLAB = "glpat gloas gldt glrt glrtr glcbt glptt glft glimt glagent glwt glsoat glffct"

HOSTS = (
    prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", WORD, "36,"),
    prefixed("github-token", "github_pat_", WORD, "40,"),
    prefixed("github-token", "v1.", HEX, "40", entropy=3.0),
    shaped(
        "gitlab-token",
        " ".join(f"{name}-" for name in _GITLAB.split()),
        rf"(?:{'|'.join(_GITLAB.split())})-[A-Za-z0-9_-]{{20,}}+(?:\.[0-9a-z.]{{9,14}}+)?",
    ),
    prefixed("gitlab-runner-token", "GR1348941", SAFE, "20,"),
    anywhere("gitlab-session", ("_gitlab_session=",), "_gitlab_session=([0-9a-z]{32,}+)"),
    prefixed("bitbucket-token", "ATBB", ALNUM, "24,40", entropy=3.0),
    prefixed("bitbucket-token", "ATCTT3", SAFE + "=", "40,"),
)

REGISTRIES = (
    prefixed("npm-token", "npm_", ALNUM, "36,"),
    # What a registry other than npm's own gives out has no sign but the name of the setting.
    anywhere(
        "npm-token",
        ("_authtoken", "npmauthtoken"),
        r"(?i:_authToken|npmAuthToken)\"?[ \t]{0,4}[=:][ \t]{0,4}[\"']?([A-Za-z0-9_+/.=-]{16,}+)",
        check=has_digit,
    ),
    anywhere(
        "npm-token", (":_auth", ":_password"), r":_(?:auth|password)[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9+/=_-]{8,}+)"
    ),
    prefixed("pypi-token", "pypi-", SAFE, "50,"),
    prefixed("rubygems-key", "rubygems_", HEX, "48"),
    prefixed("docker-token", "dckr_pat_ dckr_oat_", SAFE, "24,"),
    prefixed("crates-token", "cio", ALNUM, "32", entropy=3.0, check=has_digit),
    prefixed("nuget-key", "oy2", LOWER, "43", entropy=3.0),
    prefixed("clojars-token", "CLOJARS_", ALNUM, "60"),
    prefixed(
        "packagist-token", "packagist_uut_ packagist_oat_ packagist_out_ packagist_ort_ packagist_ack_", HEX, "40,"
    ),
    prefixed("artifactory-key", "AKCp", ALNUM, "60,"),
    prefixed("artifactory-token", "cmVmdGtuOj", BASE64, "40,"),
    prefixed("jsr-token", "jsrp_ jsrd_", ALNUM, "32,"),
)

PIPELINES = (
    prefixed("circleci-token", "CCIPAT_ CCIPRJ_", WORD, "40,"),
    prefixed("buildkite-token", "bkua_ bkaj_ bkat_ bkct_ bkpt_ bkpi_", ALNUM, "32,"),
    prefixed("sonar-token", "squ_ sqp_ sqa_", HEX, "40"),
    shaped("sourcegraph-token", "sgp_", rf"sgp_(?:(?:[0-9a-fA-F]{{16}}|local)_)?[0-9a-fA-F]{{40}}{END}"),
    prefixed("sourcegraph-token", "slk_ sgd_ sgs_", HEX, "64"),
    shaped("snyk-token", "snyk_", r"snyk_(?:uat|sat)\.[a-z0-9]{8}\.[A-Za-z0-9_.-]{40,}+"),
    prefixed("socket-token", "sktsec_", SAFE, "30,"),
    shaped("launchdarkly-key", "sdk- mob- api-", rf"(?:sdk|mob|api)-{UUID}{END}"),
    shaped(
        "harness-token", "pat. sat.", rf"(?:pat|sat)\.[A-Za-z0-9_-]{{22}}\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{20}}{END}"
    ),
    prefixed("octopus-key", "API-", UPPER, "25,32", entropy=3.0, check=has_digit),
    prefixed("infracost-key", "ico-", ALNUM, "32"),
    prefixed("prefect-key", "pnu_ pnb_", ALNUM, "36"),
    prefixed("postman-key", "PMAK-", ANYHEX + "-", "59"),
    prefixed("postman-token", "PMAT-", UPPER, "26"),
    prefixed("readme-key", "rdme_", LOWER, "60,"),
    prefixed("figma-token", "figd_ figo_ figor_ figoh_", SAFE, "40,"),
    prefixed("intra42-secret", "s-s4t2ud- s-s4t2af-", ANYHEX, "64"),
    prefixed("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", ALNUM, "16,"),
    prefixed("depot-token", "depot_org_ depot_project_ depot_user_", ALNUM + "_", "40,"),
    prefixed("chromatic-token", "chpt_", LOWER, "15,20", check=has_digit),
    prefixed("percy-token", "web_ app_ ss_ auto_", HEX, "64"),
)

MODELS = (
    prefixed("anthropic-key", "sk-ant-", SAFE, "20,", check=has_digit),
    prefixed("openrouter-key", "sk-or-v1- sk-or-", SAFE, "32,", check=has_digit),
    prefixed("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", SAFE, "20,", check=has_digit),
    shaped("langfuse-key", "sk-lf- pk-lf-", rf"[sp]k-lf-{UUID}{END}"),
    prefixed("helicone-key", "sk-helicone-", SAFE, "16,", check=has_digit),
    prefixed("openai-key", "sk-", ALNUM, "20,", entropy=3.0, check=has_digit),
    prefixed("openai-session", "sess-", ALNUM, "40", check=has_digit),
    prefixed("huggingface-token", "hf_", ALNUM, "30,", entropy=3.0),
    prefixed("huggingface-token", "hf_oauth_ hf_jwt_ api_org_", ALNUM, "30,", entropy=3.0),
    prefixed("groq-key", "gsk_", ALNUM, "40,"),
    prefixed("replicate-token", "r8_", ALNUM, "37,"),
    prefixed("perplexity-key", "pplx-", ALNUM, "40,"),
    prefixed("xai-key", "xai-", ALNUM, "60,"),
    prefixed("cerebras-key", "csk-", ALNUM, "40,"),
    prefixed("fireworks-key", "fw_", ALNUM, "22,", entropy=3.0, check=has_digit),
    prefixed("together-key", "tgp_v1_", SAFE, "40,"),
    prefixed("nvidia-key", "nvapi-", SAFE, "60,"),
    shaped("langsmith-key", "lsv2_", rf"lsv2_(?:pt|sk)_[0-9a-f]{{32}}_[0-9a-f]{{10}}{END}"),
    prefixed("langsmith-key", "ls__", HEX, "32,"),
    prefixed("pinecone-key", "pcsk_", WORD, "40,"),
    prefixed("tavily-key", "tvly-", SAFE, "24,"),
    prefixed("firecrawl-key", "fc-", HEX, "32"),
    prefixed("jina-key", "jina_", SAFE, "40,"),
    prefixed("voyage-key", "pa-", SAFE, "43", entropy=4.0, check=has_digit),
    prefixed("elevenlabs-key", "sk_", HEX, "48"),
    prefixed("e2b-key", "e2b_", HEX, "40"),
    prefixed("modal-token", "ak- as-", ALNUM, "22", entropy=3.5, check=has_digit),
    prefixed("runpod-key", "rpa_", ALNUM, "40,"),
    prefixed("anyscale-key", "esecret_", LOWER, "26,"),
    prefixed("friendli-key", "flp_", ALNUM, "40,"),
    prefixed("mem0-key", "m0-", ALNUM, "38,"),
    prefixed("zep-key", "z_1dWlk", SAFE + ".", "60,"),
    prefixed("llamaindex-key", "llx-", ALNUM, "40,"),
    prefixed("apify-key", "apify_api_", ALNUM, "30,"),
    prefixed("browserbase-key", "bb_live_ bb_test_", SAFE, "20,"),
    prefixed("cursor-key", "crsr_ key_", HEX, "64"),
    prefixed("factory-key", "fk-", SAFE, "50,"),
    prefixed("you-key", "ydc-sk-", SAFE, "32,"),
    prefixed("brave-search-key", "BSA", SAFE, "27,28", entropy=3.8, check=has_digit),
    prefixed("wandb-key", "wandb_v1_", SAFE, "60,"),
    prefixed("databricks-token", "dapi dkea dose dsapi", HEX, "32"),
    shaped("databricks-token", "dapi", r"dapi[0-9a-f]{32}-[0-9]"),
    prefixed("windsurf-key", "sk-ws-", SAFE, "40,"),
    prefixed("retell-key", "key_", HEX, "28", check=has_digit),
)

_BASE58 = "1-9A-HJ-NP-Za-km-z"

PAYMENTS = (
    prefixed(
        "stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_", ALNUM, "10,", check=has_digit
    ),
    prefixed("webhook-secret", "whsec_", SAFE + "+/=", "20,", check=has_digit),
    prefixed("square-token", "sq0atp- sq0csp- sq0acp-", SAFE, "22,"),
    prefixed("square-token", "EAAA", SAFE, "50,70", entropy=3.5),
    shaped("braintree-token", "access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_", ANYHEX, "32"),
    shaped("plaid-token", "access-", rf"access-(?:sandbox|development|production)-{UUID}{END}"),
    shaped("adyen-key", "aqe", r"AQE[A-Za-z0-9]{20,}+[A-Za-z0-9+/=]*+-[A-Za-z0-9+/=]{20,}+-[^\s\"']{10,40}"),
    prefixed("razorpay-key", "rzp_live_ rzp_test_", ALNUM, "14", entropy=3.0),
    prefixed("flutterwave-key", "FLWSECK-", ANYHEX + "-X", "30,"),
    prefixed("flutterwave-key", "FLWSECK_TEST-", ALNUM + "-", "12,"),
    shaped("mollie-key", "live_ test_", rf"(?:live|test)_[A-Za-z0-9]{{30}}{END}", entropy=3.5, check=has_digit),
    shaped(
        "gocardless-token",
        "live_ sandbox_",
        r"(?:live|sandbox)_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])",
        entropy=4.0,
        check=has_digit,
    ),
    shaped("lob-key", "live_ test_", rf"(?:live|test)_[0-9a-f]{{35}}{END}"),
    prefixed("checkout-key", "sk_sbox_", LOWER, "26,"),
    prefixed("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_", WORD, "40,"),
    prefixed("polar-token", "polar_oat_ polar_pat_ polar_whs_", ALNUM, "30,"),
    prefixed("xendit-key", "xnd_production_ xnd_development_", ALNUM, "40,"),
    prefixed("midtrans-key", "Mid-server- SB-Mid-server-", SAFE, "20,"),
    shaped("mercadopago-token", "app_usr-", r"APP_USR-[0-9]{6,20}-[0-9]{6}-[0-9a-f]{32}-[0-9]{4,12}"),
    prefixed("pagarme-key", "ak_live_ ak_test_", ALNUM, "20,", check=has_digit),
    prefixed("revenuecat-key", "goog_ appl_ amzn_", ALNUM, "27", entropy=3.8, check=has_digit),
)

SHOPS = (
    prefixed("woocommerce-key", "ck_ cs_", HEX, "40"),
    prefixed("duffel-token", "duffel_test_ duffel_live_", SAFE + "=", "40,"),
    prefixed("easypost-key", "EZAK EZTK", ALNUM, "54"),
    prefixed("shippo-token", "shippo_live_ shippo_test_", ANYHEX, "40"),
)

COINS = (
    prefixed("bitcoin-extended-key", "xprv yprv zprv tprv", _BASE58, "100,112"),
    prefixed("tezos-key", "edsk", _BASE58, "50,94", entropy=3.5),
    prefixed("nostr-key", "nsec1", LOWER, "58"),
    prefixed("sui-key", "suiprivkey1", LOWER, "58"),
    prefixed("alchemy-token", "alcht_", ALNUM, "30"),
    shaped("coinbase-key", "organizations/", rf"organizations/{UUID}/apiKeys/({UUID}){END}"),
    shaped("tatum-key", "t-", rf"t-[0-9a-f]{{24}}-[0-9a-f]{{24}}{END}"),
)

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

WATCHING = (
    prefixed("newrelic-key", "NRAK- NRRA- NRIQ- NRSP-", ALNUM, "20,"),
    prefixed("newrelic-key", "NRII-", SAFE, "32"),
    prefixed("newrelic-key", "NRJS-", HEX, "19"),
    SecretRule("newrelic-key", ("nral",), rf"(?<![A-Za-z0-9])[0-9a-zA-Z]{{36}}NRAL{END}", back=36),
    prefixed("sentry-token", "sntryu_", HEX, "64"),
    prefixed("sentry-token", "sntrys_", SAFE + "+/=", "40,"),
    prefixed("grafana-token", "glsa_", WORD, "40,"),
    prefixed("grafana-token", "glc_", BASE64 + "=", "32,"),
    prefixed("grafana-key", "eyJrIjoi", BASE64 + "=", "40,"),
    shaped("dynatrace-token", "dt0", rf"dt0[a-z][0-9]{{2}}\.[A-Z0-9]{{8,24}}\.[A-Z0-9]{{64}}{END}"),
    prefixed("honeycomb-key", "hcaik_ hcbik_ hcxik_ hcxmk_ hcaic_", LOWER, "40,"),
    prefixed("honeybadger-key", "hbp_", ALNUM, "32,"),
    shaped("axiom-token", "xaat- xapt-", rf"xa[ap]t-{UUID}{END}"),
    prefixed("coralogix-key", "cxtp_ cxup_", ALNUM, "30"),
    prefixed("elastic-key", "essu_", BASE64 + "=", "40,"),
    anywhere("healthchecks-address", ("hc-ping.com/",), rf"hc-ping\.com/({UUID})"),
    shaped("uptimerobot-key", " ".join(f"ur{digit}" for digit in range(10)), rf"ur[0-9]{{5,8}}-[0-9a-f]{{24}}{END}"),
    prefixed("datadog-token", "ddapp_ ddpat_", ALNUM, "30,"),
    prefixed("logfire-token", "pylf_v1_", WORD, "40,"),
)

PLANNING = (
    prefixed("recollect-token", "rcl_ rco_ rcs_", WORD, "60,"),  # our own
    prefixed("linear-key", "lin_api_ lin_oauth_ lin_wh_", ALNUM, "30,"),
    prefixed("notion-token", "ntn_", ALNUM, "40,"),
    prefixed("notion-token", "secret_", ALNUM, "43", entropy=3.5, check=has_digit),
    shaped("airtable-token", "pat", rf"pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}{END}"),
    prefixed("atlassian-token", "ATATT3 ATSTT3", SAFE + "=", "60,"),
    prefixed("trello-token", "ATTA", HEX, "64,"),
    shaped("asana-token", "0/ 1/ 2/", rf"[012]/[0-9]{{10,20}}(?:/[0-9]{{10,20}})?:[0-9a-f]{{32}}{END}"),
    shaped("clickup-token", "pk_", rf"pk_[0-9]{{5,10}}_[A-Z0-9]{{32}}{END}"),
    shaped("hubspot-token", "pat-", rf"pat-(?:na|eu|ap)[0-9]-{UUID}{END}"),
    shaped("salesforce-token", "00d", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}+"),
    shaped("zoho-token", "1000.", rf"1000\.[0-9a-f]{{32}}\.[0-9a-f]{{32}}{END}"),
    anywhere("okta-token", ("ssws ",), r"(?i:ssws) {1,2}(00[A-Za-z0-9_-]{30,}+)"),
    prefixed("dropbox-token", "sl.", SAFE, "100,"),
    prefixed("dropbox-token", "sl.u. sl.B.", SAFE, "60,"),
    prefixed("typeform-token", "tfp_", SAFE + ".", "40,"),
    prefixed("contentful-token", "CFPAT-", SAFE, "40,"),
    prefixed("segment-token", "sgp_", ALNUM, "64"),
    prefixed("posthog-key", "phx_ phs_", ALNUM, "40,"),
    prefixed("statsig-key", "secret-", ALNUM, "40,60", entropy=3.5, check=has_digit),
    prefixed("flagsmith-key", "ser.", ALNUM, "20,", check=has_digit),
    prefixed("adobe-secret", "p8e-", SAFE, "32,"),
    prefixed("adobe-token", "s8e-", SAFE, "32,"),
    prefixed("frameio-token", "fio-u-", SAFE + "=", "60,"),
    prefixed("beamer-key", "b_", SAFE + "=", "44", entropy=4.0, check=has_digit),
    prefixed("maxmind-key", "mmk_", ALNUM, "30,"),
    SecretRule("maxmind-key", ("_mmk",), rf"(?<![A-Za-z0-9])[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{END}", back=36),
    prefixed("dub-key", "dub_", ALNUM, "24,", check=has_digit),
    prefixed("cal-key", "cal_live_ cal_test_", HEX, "32"),
    prefixed("porkbun-key", "pk1_ sk1_", HEX, "64"),
    shaped(
        "authress-key",
        "sc_ ext_ scauth_ authress_",
        r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}+",
    ),
    prefixed("workos-key", "sk_a2V5", ALNUM, "30,"),
    prefixed("stytch-secret", "secret-live- secret-test-", SAFE + "=", "30,"),
    prefixed("descope-key", "K2", ALNUM, "70,", entropy=4.0),
    prefixed("imagekit-key", "private_", ALNUM + "+/=", "24,40", entropy=3.8, check=has_digit),
)

STORING = (
    prefixed("aiven-password", "AVNS_", SAFE, "18,"),
    prefixed("aiven-token", "aivenv1", BASE64 + "=", "60,"),
    shaped("cockroach-key", "ccdb1_", rf"CCDB1_[A-Za-z0-9]{{22}}_[A-Za-z0-9]{{40}}{END}"),
    prefixed("clickhouse-key", "4b1d", ALNUM, "38", entropy=3.5),
    prefixed("mongodb-atlas-secret", "mdb_sa_sk_", SAFE, "40"),
    prefixed("xata-key", "xau_", ALNUM, "30,"),
    prefixed("fauna-key", "fnAA fnAC fnAD fnAE fnAF", SAFE, "36,44"),
    prefixed("tinybird-token", "p.eyJ", SAFE + ".", "60,"),
    prefixed("appwrite-key", "standard_", HEX, "200,"),
    shaped("convex-key", "prod: dev: preview:", r"(?:prod|dev|preview):[a-z0-9-]{3,60}\|[A-Za-z0-9+/=_-]{40,}+"),
)

PEOPLE = (
    prefixed("facebook-token", "EAA", ALNUM, "80,", entropy=3.5),
    anywhere(
        "facebook-token",
        ("|",),
        r"(?<=[0-9]{15})\|([A-Za-z0-9_-]{26,40})(?![A-Za-z0-9_-])",
        entropy=3.5,
        check=has_digit,
    ),
    prefixed("instagram-token", "IGQV IGAA", SAFE, "60,"),
    prefixed("threads-token", "THAA", SAFE, "60,"),
    prefixed("pinterest-token", "pina_", ALNUM, "60,"),
    prefixed("twitter-bearer", "AAAAAAAAAAAAAAAAAAAAA", ALNUM + "%+/=", "60,"),
    prefixed("twitch-token", "oauth:", LOWER, "30", entropy=3.0, check=has_digit),
    prefixed("tiktok-token", "act. clt.", SAFE + "!.", "60,"),
    prefixed("linkedin-token", "AQU AQV AQW AQX", SAFE, "150,"),
    prefixed("linkedin-secret", "WPL_AP", SAFE + ".=", "16,"),
    shaped("riot-key", "rgapi-", rf"RGAPI-{UUID}{END}"),
    shaped("mapbox-token", "sk.eyj tk.eyj", r"[st]k\.eyJ[A-Za-z0-9_-]{20,}+\.[A-Za-z0-9_-]{20,}+"),
    prefixed("foursquare-key", "fsq3", BASE64 + "=", "44"),
    prefixed("roblox-cookie", "_|WARNING:-DO-NOT-SHARE-THIS.", ALNUM + "-_.|", "60,"),
)

RULES: tuple[SecretRule, ...] = (
    *HOSTS,
    *REGISTRIES,
    *PIPELINES,
    *MODELS,
    *PAYMENTS,
    *SHOPS,
    *COINS,
    *CHAT,
    *MAIL,
    *PHONE,
    *WATCHING,
    *PLANNING,
    *STORING,
    *PEOPLE,
)
