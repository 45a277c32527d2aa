"""The names that secrets go by: words that mean one, names that only sound like it, and vendors whose keys have no
sign of their own but are written next to the vendor's name.
"""

from __future__ import annotations

from recollect.redaction.rules import UUID

# What a word stands for. The longest one at a place counts.
WORDS: dict[str, str] = {
    **dict.fromkeys("password passwd passphrase passcode pwd pass pw".split(), "password"),
    # The same in other languages people write in.
    **dict.fromkeys(
        "passwort kennwort contraseña contrasena senha wachtwoord lösenord adgangskode hasło salasana".split(),
        "password",
    ),
    **dict.fromkeys(
        ("mot de passe", "parola d'ordine", "пароль", "密码", "密碼", "パスワード", "비밀번호"), "password"
    ),
    **dict.fromkeys("secret credential creds auth".split(), "secret"),
    "token": "token",
    "key": "api-key",
}

# These are parts of many words, and count only where they are a word, or a part divided off.
WHOLE = frozenset("pass pw pwd auth creds".split())

# What a name may say before `key` for it to be one that opens something.
OPENING = frozenset(
    """
    api access secret private encryption encrypt decryption signing sign signature master account auth authentication
    authorization license licence service services app application admin storage subscription write read server session
    deploy deployment ssh pgp gpg hmac aes shared webhook integration ingest ingestion consumer client bot developer dev
    personal user root data functions host sas bearer jwt oauth security crypto recovery restore passkey wallet device
    project org organization rest sdk vault backup unlock ipn merchant test live prod production staging sandbox x
    """.split()
)

# Names that sound like a secret's and are not: counts, kinds, places, rules. Before the word, or after it.
HARMLESS_THINGS = frozenset(
    """
    max min total prompt completion input output num n count cached avg average per used pad eos bos unk sep cls mask
    special stop start end next page continuation sync image audio reasoning public pub foreign primary partition sort
    cache idempotency row object dict lookup map index group unique composite shard routing hot short arrow enter
    escape shift ctrl control alt meta function hash s3 minio registry lex csrf xsrf design lock starting pagination
    lifecycle creation amz
    """.split()
)
# The same, but only inside a name: in a sentence they say what is done with the secret that follows.
HARMLESS_ACTS = frozenset(
    """
    has is no not missing invalid forgot reset without with get set use show hide toggle validate verify check enable
    disable fetch list delete create update generate rotate revoke non zero first last change
    """.split()
)
HARMLESS_AFTER = frozenset(
    """
    count counts limit limits length len size type types name names id ids url uri endpoint path file filename dir
    directory field fields input label hint policy policies rule rules expiry expires expired expiration ttl age
    format regex pattern prefix suffix header headers param params parameter parameters args argument options method
    mode provider providers manager store stores service handler class reset change strength required min max usage
    used budget cost price hash hashed hasher digest salt algorithm alg scheme version status state error errors
    enabled disabled valid invalid missing exists ref refs index position num number total per window bucket stream
    ring arn alias rotation protection scanning scan scope scopes audience issuer flow callback redirect text
    placeholder title message messages description validator validation verify confirm confirmation confirmed visible
    visibility toggle form page link email mail attempts retries history env var variable at on by date time created
    updated refresh rate ratio weights based less bearer request response result source settings setting config bytes
    """.split()
)

_ALNUM = "[A-Za-z0-9]"
_SHAPES: tuple[tuple[str, str], ...] = (
    (
        UUID,
        "heroku hubspot messagebird sendbird snyk squarespace postmark kucoin codecov railway coinmarketcap urlscan"
        " shortcut coda splunk logdna gladia exa sambanova wise typesense tatum opsgenie mongodb_atlas",
    ),
    (
        "[0-9a-f]{32}",
        "adobe algolia facebook linear finicity datadog steam openweather newsapi infura bugsnag rollbar mailjet"
        " clarifai shodan haveibeenpwned hibp ipstack fixer currencylayer mixpanel amplitude auth0 gandi imgix bitly"
        " instana statuspage zulip loggly airship iterable braze lastfm tmdb omdb weatherstack aviationstack"
        " pushover recaptcha agora vimeo trello foursquare",
    ),
    (
        "[0-9a-f]{40}",
        "deepgram meraki serper hunter sendbird todoist wandb weights_and_biases bitfinex docker_hub dnsimple sonar"
        " fullcontact loginradius mapquest rawg clearbit sendinblue phrase lokalise crowdin",
    ),
    (
        "[0-9a-f]{64}",
        "virustotal serpapi discord sentry semgrep linode akeyless coinbase fullstory censys newrelic hypertrack",
    ),
    (
        f"(?=[^0-9]{{0,31}}[0-9]){_ALNUM}{{32}}",
        "mistral assemblyai fastly stability flickr droneci asana bitbucket contentful"
        " privateai nytimes bittrex zerotier adafruit codecov discord intercom shodan ai21 helpscout",
    ),
    (
        "(?=[^0-9]{0,39}[0-9])[A-Za-z0-9_-]{40}",
        "cloudflare cohere datadog zendesk launchdarkly gitter netlify wasabi huawei ibm aws_secret sparkpost front",
    ),
    (
        "(?=[^0-9]{0,63}[0-9])[A-Za-z0-9_-]{64}",
        "binance hetzner freshbooks sumologic sumo jfrog artifactory confluent bitbucket newrelic coinbase ovh",
    ),
    (f"(?=[^0-9]{{0,23}}[0-9]){_ALNUM}{{24}}", "vercel etsy plaid looker razorpay vonage"),
    (f"(?=[^0-9]{{0,29}}[0-9]){_ALNUM}{{30}}", "alibaba plaid twitch"),
    (f"(?=[^0-9]{{0,19}}[0-9]){_ALNUM}{{20}}", "finnhub looker pagerduty finicity huawei"),
    (f"(?=[^0-9]{{0,24}}[0-9]){_ALNUM}{{25,26}}", "messagebird mattermost twitter"),
    ("[A-Z0-9]{36}", "vultr"),
    (f"{_ALNUM}{{44,46}}|{_ALNUM}{{50}}", "twitter ibm ibmcloud"),
    ("[0-9]{15,25}-[A-Za-z0-9]{20,40}", "twitter"),
    ("(?=[^0-9]{0,49}[0-9])[A-Za-z0-9_-]{50}", "rapidapi"),
    (f"{_ALNUM}{{73}}", "jfrog artifactory"),
    ("[A-Za-z0-9+/]{86}==", "azure kraken cosmos cosmosdb"),
    ("00[A-Za-z0-9_-]{40}", "okta"),
    ("[AE][A-Za-z0-9_-]{79}", "paypal"),
    ("0[A-Za-z0-9]{12,}+|[A-Za-z0-9_-]{22}", "travis"),
    ("[0-9a-f]{37}", "cloudflare"),
    ("[0-9a-f]{80}", "abuseipdb"),
    ("[0-9a-f]{24}:[0-9a-f]{64}", "ghost"),
    ("[0-9a-f]{8}:[0-9a-f]{8}", "contribsys"),
    ("(?i:live|test)_(?:pub_)?[0-9a-f]{31,35}", "lob"),
    ("[A-Za-z0-9_-]{6}[.][A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{40,}+", "ably"),
    ("11[0-9a-f]{32}", "jenkins"),
    ("[A-Za-z0-9+/=]{80,90}", "kraken"),
    ("[A-Za-z0-9_-]{43}", "contentful auth0 gatsby"),
    ("v2[A-Za-z0-9]{30,}+", "cloudinary"),
    ("[A-Za-z0-9_-]{27}", "cloudinary"),
    ("ver:[0-9]:[A-Za-z0-9+/=:-]{20,}+", "snowflake"),
)


def _vendors() -> dict[str, str]:
    shapes: dict[str, list[str]] = {}
    for shape, vendors in _SHAPES:
        for vendor in vendors.split():
            shapes.setdefault(vendor, []).append(shape)
    return {vendor: "|".join(known) for vendor, known in shapes.items()}


VENDORS = _vendors()  # for each vendor, what its keys look like, as alternatives

# What may stand between a vendor's name and its key.
BETWEEN = frozenset(
    """
    key keys token secret api app access client auth rest admin private license pat password credential credentials sdk
    server bot bearer oauth consumer my our the prod production staging dev test live is com io ai hub app cloud default
    personal account write read master v1 v2 v3 v4 user search value apikey integration routing service dashboard login
    """.split()
)
