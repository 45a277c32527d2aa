"""Keys of clouds, of hosting, and of what keeps other secrets."""

from __future__ import annotations

from recollect.redaction.rules import (
    ALNUM,
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
from recollect.redaction.values import has_digit, is_mixed

_AWS_ID = "(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}"
_AWS_IDS = "akia asia abia acca a3t"

AMAZON = (
    # A pair pasted together: the secret half has no sign of its own, but it follows the half that has one.
    shaped(
        "aws-secret-key",
        _AWS_IDS,
        rf"{_AWS_ID}(?![A-Z0-9])[^A-Za-z0-9+/](?:[^\n]|\n){{0,80}}?(?<![A-Za-z0-9+/=])([A-Za-z0-9+/]{{40}})(?![A-Za-z0-9+/=])",
        entropy=4.0,
        check=is_mixed,
    ),
    shaped("aws-access-key", _AWS_IDS, _AWS_ID + END, entropy=3.0),
    prefixed("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", BASE64 + "=%", "100,"),
    prefixed("aws-bedrock-key", "ABSK", BASE64 + "=", "100,"),
    prefixed("aws-bedrock-key", "bedrock-api-key-", BASE64 + "=", "40,"),
    shaped("aws-mws-token", "amzn.mws.", rf"amzn\.mws\.{UUID}"),
    prefixed("aws-appsync-key", "da2-", LOWER, "26", check=has_digit),
    anywhere("aws-signature", ("x-amz-signature=",), "[Xx]-[Aa]mz-[Ss]ignature=([0-9a-f]{64})"),
    anywhere("aws-signature", ("signature=",), "Signature=([0-9a-f]{64})", near=("aws4-hmac-sha256",)),
    anywhere(
        "aws-session-token", ("x-amz-security-token=",), r"[Xx]-[Aa]mz-[Ss]ecurity-[Tt]oken=([A-Za-z0-9+/=%]{40,}+)"
    ),
)

GOOGLE = (
    prefixed("google-api-key", "AIza", SAFE, "35", entropy=3.0),
    prefixed("google-api-key", "AQ.Ab", SAFE, "40,"),
    prefixed("google-oauth-secret", "GOCSPX-", SAFE, "20,"),
    prefixed("google-access-token", "ya29.", SAFE + ".", "20,"),
    prefixed("google-refresh-token", "1//0", SAFE, "30,"),
    shaped("google-firebase-key", ":apa91b", r"[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{100,}+", back=11),
    anywhere("google-signature", ("x-goog-signature=",), "[Xx]-[Gg]oog-[Ss]ignature=([0-9a-fA-F]{64,}+)"),
)

_EQUALS = r"[ \t]?=[ \t]?"

AZURE = (
    anywhere(
        "azure-storage-key",
        ("accountkey=", "accountkey ="),
        rf"(?i:AccountKey){_EQUALS}([A-Za-z0-9+/]{{40,}}+={{0,2}})",
    ),
    anywhere("azure-shared-key", ("sharedaccesskey=",), r"(?i:SharedAccessKey)=([A-Za-z0-9+/%]{30,}+={0,2})"),
    anywhere(
        "azure-sas-signature",
        ("?sig=", "&sig=", ";sig=", "?sig%3d"),
        r"[?&;]sig(?:=|%3D)([A-Za-z0-9+/%_-]{40,}+={0,2})",
    ),
    # What Azure makes now carries a mark at a fixed place.
    shaped("azure-key", "jqqj99", "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,}+", back=52),
    shaped("azure-devops-token", "azdo", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", back=76),
    shaped("azure-search-key", "azse", f"[A-Za-z0-9]{{42}}AzSe[A-D][A-Za-z0-9]{{5}}{END}", back=42),
    shaped("azure-function-key", "azfu", "[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==", back=44),
    shaped("azure-cache-key", "azca", "[A-Za-z0-9]{33}AzCa[A-P][A-Za-z0-9]{5}=", back=33),
    shaped("azure-storage-key", "+ast +aba", r"[A-Za-z0-9+/]{76}\+A(?:St|Ba)[A-Za-z0-9+/]{5}[AQgw]==", back=76),
    shaped("azure-cosmos-key", "acdb", "[A-Za-z0-9+/]{76}ACDb[A-Za-z0-9+/]{5}[AQgw]==", back=76),
    shaped("azure-messaging-key", "+asb +aeh +arm", r"[A-Za-z0-9+/]{33}\+A(?:Sb|Eh|Rm)[A-P][A-Za-z0-9+/]{5}=", back=33),
    shaped("azure-registry-key", "+acr", rf"[A-Za-z0-9+/]{{42}}\+ACR[A-D][A-Za-z0-9+/]{{5}}{END}", back=42),
    SecretRule(
        "azure-client-secret",
        ("q~",),
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40}+(?![A-Za-z0-9_~-])",
        back=4,
        entropy=3.0,
    ),
)

HOSTING = (
    prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", HEX, "64"),
    prefixed("digitalocean-spaces-key", "DO00 DO801", UPPER, "15,20", entropy=3.0, check=has_digit),
    prefixed("cloudflare-token", "cfut_ cfat_ cfk_ cfoat_", SAFE, "36,"),
    shaped("cloudflare-origin-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}+"),
    prefixed("heroku-key", "HRKU-", SAFE, "36,"),
    prefixed("alibaba-access-key", "LTAI", ALNUM, "12,24", entropy=3.0, check=has_digit),
    prefixed("tencent-secret-id", "AKID", ALNUM, "32", entropy=3.0),
    prefixed("volcengine-access-key", "AKLT AKTP", SAFE, "40,"),
    prefixed("baidu-access-key", "ALTAK-", ALNUM, "20,"),
    prefixed("baidu-access-key", "bce-v3/ALTAK-", SAFE + "/", "20,"),
    prefixed("baidu-access-key", "ALTAK", ALNUM, "21"),
    prefixed("yandex-key", "AQVN", SAFE, "35,38"),
    prefixed("yandex-key", "YCAJE YCM YCP", SAFE, "35,37"),
    prefixed("yandex-token", "y0_", SAFE, "40,"),
    shaped("yandex-token", "t1.", r"t1\.[A-Za-z0-9_-]{10,}+={0,2}\.[A-Za-z0-9_-]{86}={0,2}"),
    prefixed("scaleway-access-key", "SCW", UPPER, "17", entropy=3.0, check=has_digit),
    prefixed("exoscale-key", "EXO", HEX, "24", check=has_digit),
    prefixed("backblaze-key", "K000 K001 K002 K003 K004 K005", BASE64, "27", entropy=3.5),
    prefixed("upcloud-token", "ucat_", UPPER, "20,"),
    prefixed("fly-token", "fo1_", SAFE, "40,"),
    prefixed("fly-token", "fm1r_ fm1a_ fm2_", BASE64 + "=,", "60,"),
    prefixed("render-key", "rnd_", ALNUM, "20,"),
    prefixed("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", ALNUM, "24,"),
    prefixed("vercel-blob-token", "vercel_blob_rw_", WORD, "30,"),
    prefixed("netlify-token", "nfp_ nfc_ nfo_ nfb_ nfu_", ALNUM, "36,"),
    prefixed("supabase-token", "sbp_", HEX, "40", entropy=3.0),
    prefixed("supabase-token", "sbp_oauth_ sbp_v0_", HEX, "40", entropy=3.0),
    prefixed("supabase-secret-key", "sb_secret_", SAFE, "20,"),
    prefixed("dbt-token", "dbtu_ dbtc_ dbts_", SAFE + "=", "32,"),
    prefixed("planetscale-token", "pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_pat_", SAFE + ".=", "32,"),
    prefixed("neon-key", "napi_", ALNUM, "40,"),
    prefixed("tailscale-key", "tskey-", SAFE, "16,", check=has_digit),
    anywhere(
        "ngrok-token",
        ("ngrok", "authtoken"),
        rf"(?i:ngrok|authtoken)[^\n]{{0,60}}?\b(2[A-Za-z0-9]{{26}}_[A-Za-z0-9]{{20,22}}){END}",
    ),
    prefixed("ngrok-key", "ak_2 cr_2", ALNUM, "26"),
    prefixed("netbird-token", "nbp_", ALNUM, "36"),
    prefixed("nebula-key", "dnkey-", SAFE + "=", "60,"),
    prefixed("akamai-token", "akab-", LOWER + "-", "33,"),
    prefixed("scalingo-token", "tk-us-", SAFE, "40,"),
    prefixed("railway-token", "rw_Fe26.2**", SAFE + "*.", "40,"),
    prefixed("openshift-token", "sha256~", SAFE, "43"),
    shaped("rancher-token", "token-", r"token-[a-z0-9]{5}:[a-z0-9]{54}"),
    shaped(
        "kubernetes-bootstrap-token",
        "kubeadm",
        rf"kubeadm[^\n]{{0,120}}?--token[ =]([a-z0-9]{{6}}\.[a-z0-9]{{16}}){END}",
    ),
)

VAULTS = (
    prefixed("vault-token", "hvs. hvb. hvr.", SAFE, "24,"),
    shaped("vault-token", "s.", rf"s\.[A-Za-z0-9]{{24}}(?:\.[A-Za-z0-9]{{5}})?{END}", entropy=3.5, check=is_mixed),
    shaped("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}+", back=14),
    prefixed("pulumi-token", "pul-", HEX, "40", entropy=3.0),
    shaped("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}" + END),
    prefixed("onepassword-token", "ops_eyJ", BASE64 + "=_-", "100,"),
    shaped(
        "onepassword-key",
        "a3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}" + END,
        entropy=3.0,
    ),
    shaped("bitwarden-token", "0.", rf"0\.{UUID}\.[A-Za-z0-9]{{30}}:[A-Za-z0-9+/]{{22}}=="),
    SecretRule("age-key", ("age-secret-key-1",), START + "AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    SecretRule("age-key", ("age-plugin-",), START + "AGE-PLUGIN-[A-Z0-9]{2,20}-1[A-Z0-9]{40,}+"),
    shaped("infisical-token", "st.", rf"st\.[0-9a-f]{{24}}\.[0-9a-f]{{32}}(?:\.[0-9a-f]{{32}})?{END}"),
)

RULES: tuple[SecretRule, ...] = (*AMAZON, *GOOGLE, *AZURE, *HOSTING, *VAULTS)
