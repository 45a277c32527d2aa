"""Keys of payments, shops, shipping and coins."""

from __future__ import annotations

from recollect.redaction.rules import (
    ALNUM,
    ANYHEX,
    END,
    HEX,
    LOWER,
    SAFE,
    UUID,
    WORD,
    SecretRule,
    prefixed,
    shaped,
)
from recollect.redaction.values import has_digit

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

RULES: tuple[SecretRule, ...] = (*PAYMENTS, *SHOPS, *COINS)
