"""Keys of what people work with: watching, planning, storing, searching, publishing."""

from __future__ import annotations

from recollect.redaction.rules import (
    ALNUM,
    BASE64,
    END,
    HEX,
    LOWER,
    SAFE,
    UUID,
    WORD,
    SecretRule,
    anywhere,
    prefixed,
    shaped,
)
from recollect.redaction.values import has_digit

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

RULES: tuple[SecretRule, ...] = (*WATCHING, *PLANNING, *STORING, *PEOPLE)
