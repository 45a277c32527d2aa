"""Secrets that show by the structure around them: addresses with a password, fenced blocks, marked passages.

All are read in one pass over their marks, each part once. A frame that is never closed ends with the text, or with
the last line that can belong to a key: half a secret is still one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recollect.domain.late import Late
from recollect.redaction.rules import START, SecretRule, anywhere, prefixed
from recollect.redaction.values import is_code, is_credentials, is_mixed, is_placeholder, is_private_key, is_random


def _is_password(value: str) -> bool:
    return not is_placeholder(value) and not is_code(value)


def _is_bearer(value: str) -> bool:
    return is_random(value, least=12) and not is_placeholder(value)


def _is_cookie(value: str) -> bool:
    return any(is_random(part, least=16) for part in _COOKIE_VALUE.findall(value))


_COOKIE_VALUE = re.compile(r"=([^\s\\;=]{16,}+)")
_DATABASES = (
    "postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss amqp amqps mssql sqlserver oracle clickhouse"
    " cassandra ldap ldaps ftp sftp smtp smtps nats kafka snowflake"
)
_ENDS_NAME = r"\s@/?#\"'<>`"
_ENDS_TEXT = r"\s\"'<>`"

# Only the password goes: who connects to what is worth remembering. It may hold an @ of its own.
ADDRESSES = (
    anywhere(
        "url-password",
        ("://",),
        rf"://[^:{_ENDS_NAME}]{{0,100}}+:([^{_ENDS_NAME}]{{1,200}}+(?:@[^{_ENDS_NAME}]{{1,100}}+(?=@)){{0,3}}+)"
        r"@(?=[A-Za-z0-9\[_$-])",
        entropy=0.0,
        check=_is_password,
    ),
    # Passwords for databases are typed as they are, with characters that would end an address. So the first @ counts
    # that has a host behind it.
    anywhere(
        "url-password",
        tuple(f"{scheme}://" for scheme in _DATABASES.split()),
        rf"[a-z0-9+]{{3,12}}://[^:\s@/\"'<>`]{{0,100}}+:([^{_ENDS_TEXT}]{{1,150}}?)@(?="
        r"[A-Za-z0-9-]{1,63}+\.[A-Za-z0-9]|[A-Za-z0-9_-]{1,63}+:[0-9]|localhost|\["
        rf"|[A-Za-z0-9_-]{{1,63}}+(?:[/?{_ENDS_TEXT}]|$)(?![^@{_ENDS_TEXT}]{{0,150}}+@))",
        entropy=0.0,
        check=_is_password,
    ),
    # A token in the place of the user.
    anywhere(
        "url-token",
        ("://",),
        r"://([A-Za-z0-9_-]{20,200}+)(?::(?:x-oauth-basic|x)?)?@(?=[A-Za-z0-9])",
        entropy=3.0,
        check=lambda value: is_random(value, least=20),
        general=True,
    ),
    anywhere("sentry-dsn", ("://",), r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[A-Za-z0-9.-]{1,100}/[0-9]"),
)

HEADERS = (
    # Three parts are signed, five are encrypted. No run can begin inside another, so none is read twice.
    SecretRule("jwt", ("eyj",), START + r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){1,3}+"),
    anywhere(
        "basic-auth",
        ("basic ",),
        r"(?i:basic) {1,3}([A-Za-z0-9+/]{6,}+={0,2})",
        entropy=0.0,
        check=is_credentials,
        general=True,
    ),
    anywhere(
        "bearer-token",
        ("bearer ", "bearer%20", "bearer: "),
        r"(?i:bearer)(?: {1,3}|%20|: ?)[\"']?([A-Za-z0-9._~+/=|:-]{12,}+)",
        check=_is_bearer,
        general=True,
    ),
    anywhere(
        "authorization-header",
        ("authorization",),
        r"(?<![A-Za-z:])(?i:authorization)[\"'\\]{0,3}[ \t]{0,3}[:=][ \t]{0,3}[\"'\\]{0,3}"
        r"(?:(?!(?i:basic|bearer))[A-Za-z0-9-]{2,20} {1,3})?([A-Za-z0-9._~+/=|:-]{12,}+)",
        check=_is_bearer,
        general=True,
    ),
    anywhere(
        "cookie",
        ("cookie: ", 'cookie": ', "cookie:\t"),
        r"(?i:cookie)[\"']?:[ \t][\"']?([^\s=;\"']{1,64}=[^\n\"']{16,4000}+)",
        check=_is_cookie,
        general=True,
    ),
)

COMMANDS = (
    anywhere(
        "curl-password",
        ("-u ", "-u'", '-u"', "--user "),
        r"(?<=[ \t])(?:-u|--user) ?[\"']?[^\s:\"']{1,64}:([^\s\"']{3,128}+)",
        entropy=0.0,
        near=("curl", "wget"),
        check=_is_password,
    ),
    anywhere(
        "command-password",
        ("-p",),
        r"(?<=[ \t])-p ?[\"']?([^\s\"'-][^\s\"']{3,128}+)",
        entropy=0.0,
        near=("sshpass", "docker login", "podman login", "registry login"),
        check=_is_password,
    ),
    # With a blank, it would be the name of the database.
    anywhere(
        "command-password",
        ("-p",),
        r"(?<=[ \t])-p[\"']?([^\s\"'-][^\s\"']{3,128}+)",
        entropy=0.0,
        near=("mysql", "mariadb"),
        check=_is_password,
    ),
    anywhere(
        "command-password",
        ("-a ",),
        r"(?<=[ \t])-a [\"']?([^\s\"'-][^\s\"']{3,256}+)",
        entropy=0.0,
        near=("redis-cli",),
        check=_is_password,
    ),
    anywhere(
        "netrc-password",
        ("login ",),
        r"login[ \t\n]{1,4}\S{1,64}[ \t\n]{1,4}password[ \t\n]{1,4}(\S{3,128}+)",
        entropy=0.0,
        check=_is_password,
    ),
    anywhere(
        "sql-password",
        ("identified by ", "identified with "),
        r"(?i:identified (?:with [a-z0-9_]{1,40} )?by (?:password )?)'([^'\n]{3,128}+)'",
        entropy=0.0,
        check=_is_password,
    ),
)

# Hashes of passwords can be undone by guessing, so they are kept no more than the passwords.
HASHES = (
    anywhere("password-hash", ("$2a$", "$2b$", "$2y$"), r"\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}", entropy=0.0),
    anywhere("password-hash", ("$apr1$", "$1$"), r"\$(?:apr1|1)\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}", entropy=0.0),
    anywhere(
        "password-hash",
        ("$5$", "$6$", "$y$"),
        r"\$[56y]\$(?:[A-Za-z0-9=]{1,20}\$)?[./A-Za-z0-9]{4,32}\$[./A-Za-z0-9]{43,}+",
        entropy=0.0,
    ),
    anywhere(
        "password-hash",
        ("$argon2",),
        r"\$argon2(?:id|i|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,}+",
        entropy=0.0,
    ),
    anywhere(
        "password-hash",
        ("pbkdf2_sha",),
        r"pbkdf2_sha(?:1|256|512)\$[0-9]{3,8}\$[A-Za-z0-9+/=]{4,64}\$[A-Za-z0-9+/=]{27,}+",
        entropy=0.0,
    ),
)

# Private keys without the frame that `frames.py` looks for.
KEYS = (
    anywhere(
        "private-key",
        ("private-lines:",),
        r"(?i:private-lines): ?[0-9]{1,4}\s{1,2}((?:(?!Private-)[A-Za-z0-9+/=]{1,80}+\n?){1,200}+)",
    ),
    prefixed("private-key", "LS0tLS1CRUdJTi", "A-Za-z0-9+/=", "80,", check=is_private_key),
    prefixed("private-key", "b3BlbnNzaC1rZXktdjEA", r"A-Za-z0-9+/=\n", "80,"),
    anywhere("private-key", ('"d":', '"d" :'), r'"d" ?: ?"([A-Za-z0-9_-]{43,}+)"', entropy=4.0),
    anywhere("private-key", ("<d>",), r"<[Dd]>([A-Za-z0-9+/=]{40,}+)</[Dd]>", entropy=4.0),
    anywhere(
        "seed-phrase",
        ("seed phrase", "recovery phrase", "secret phrase", "mnemonic", "seed words", "recovery words"),
        r"(?i:(?:seed|recovery|secret) (?:phrase|words)|mnemonic(?: phrase)?)(?: (?:is|are|was))?[\"']?"
        r"\s{0,3}[:=]?\s{0,3}[\"']?([a-z]{3,8}+(?:[ ,]{1,2}+[a-z]{3,8}+){11,23}+)",
        entropy=3.0,
    ),
)

_PIN = r"(?<![A-Za-z0-9_-])[Pp](?:in|IN)"
_OF = ("of", "for", "to", "on", "at", "from")
_THING = r"(?:[^\n.,;:!?\"'=]|'(?=s ))"  # a character of what a code is for
_GIVES = " is| was|:| ?="
_OPENED = "door gate alarm entry garage lock unlock safe building keypad".split()
_WHOSE = ("my", "our", "your", "his", "her", "their", "the")
_BEFORE_CODE = (*_WHOSE, "a", "and", "new", "old", "current", "access", "entry", "security", "secret")
_OWN_CODE = "|".join(rf"(?<=(?<![A-Za-z])(?i:{each}) )" for each in _BEFORE_CODE)

# What people type to get in, other than passwords.
CODES = (
    # What is called a PIN code is in some countries a postal code, of six digits.
    anywhere(
        "pin",
        ("pin is ", "pin: ", "pin = ", "pin=", "pin was ", "pin code", "pin number", "pin's "),
        rf"{_PIN}(?:'s| number)?(?: code(?= is [0-9]{{4,5}}\b|: ?[0-9]{{4,5}}\b))?"
        rf"(?:{_GIVES})? ?(?:now )?([0-9]{{4,8}})(?![0-9A-Za-z%]|[.,:/-][0-9])",
        entropy=0.0,
    ),
    # With its thing in between: "the pin of my sister's phone is". As many digits as a postal code has only after a
    # word that says whose it is, for "the pin for Pune is" says where.
    anywhere(
        "pin",
        tuple(f"pin{kind} {of} " for kind in ("", " code", " number") for of in _OF),
        rf"{_PIN}(?: code| number)? (?:{'|'.join(_OF)}) "
        rf"(?:(?i:{'|'.join(_WHOSE)}) {_THING}{{1,40}}?"
        rf"|{_THING}{{1,40}}?(?=(?:{_GIVES}) ?(?:now )?[0-9]{{4,5}}\b))"
        rf"(?:{_GIVES}) ?(?:now )?([0-9]{{4,8}})(?![0-9A-Za-z%]|[.,:/-][0-9])",
        entropy=0.0,
    ),
    anywhere(
        "pin",
        tuple(f"{thing} code" for thing in _OPENED),
        rf"[A-Za-z]{{4,8}} (?i:code)(?: (?:{'|'.join(_OF)}) {_THING}{{1,40}}?)?(?:{_GIVES}) ?(?:now )?"
        r"([*#]?[0-9]{4,8}[*#]?)(?![0-9A-Za-z%])",
        entropy=0.0,
    ),
    # A zip code, a source code and an error code open nothing.
    anywhere(
        "pin",
        tuple(f"code {of} {whose} " for of in _OF for whose in _WHOSE),
        rf"(?<![A-Za-z0-9_-])(?:(?<![A-Za-z0-9] )|{_OWN_CODE})(?i:code) "
        rf"(?:{'|'.join(_OF)}) [a-z]{{2,5}} (?:{_THING}{{1,24}} )?(?i:{'|'.join(_OPENED)})"
        rf"(?: (?:at|in|of) {_THING}{{1,24}}?)?(?:{_GIVES}) ?(?:now )?"
        r"([*#]?[0-9]{4,8}[*#]?)(?![0-9A-Za-z%]|[.,:/-][0-9]| [a-z]{3,9}s\b)",
        entropy=0.0,
    ),
    # The other way round: "4711 is my PIN". As many digits as a postal code has are none before "pin code".
    *(
        SecretRule(
            "pin",
            tuple(f" is {still}{whose} pin" for still in ("", "still ", "now ") for whose in _WHOSE),
            rf"(?<![0-9A-Za-z.,:/#-])([0-9]{{{digits}}}) is (?:still |now )?"
            rf"(?:(?!(?i:the) )[A-Za-z]{{2,5}} (?i:pin)|(?i:the pin)(?= (?:for|of|to) (?:{'|'.join(_WHOSE[:-1])}) ))"
            rf"(?![A-Za-z0-9_-]| (?:count|header|layout{'' if digits < 6 else '|code'})\b)",
            back=digits,
            entropy=0.0,
        )
        for digits in range(4, 9)
    ),
    # Languages in which the letters PIN mean the same.
    anywhere(
        "pin",
        tuple(f"pin {gives} " for gives in ("ist", "lautet", "est", "es", "è", "é", "är", "er")),
        rf"{_PIN} (?:ist|lautet|est|es|è|é|är|er)(?: :)? ([0-9]{{4,8}})(?![0-9A-Za-z%]|[.,:/-][0-9])",
        entropy=0.0,
    ),
    anywhere(
        "recovery-code",
        ("recovery code", "backup code"),
        r"[A-Za-z]{6,8} (?i:codes?)(?: is| are|:| ?=) ?"
        r"((?=[a-z-]{0,16}[0-9])[a-z0-9]{4,10}(?:[ -][a-z0-9]{4,10}){0,5})(?![A-Za-z0-9])",
        entropy=0.0,
    ),
    anywhere(
        "otp-secret",
        ("totp", "otp s", "otp k", "2fa s", "2fa k", "mfa s", "mfa k"),
        r"(?i:totp|otp|2fa|mfa)[ _-](?i:seed|secret|key)(?: is|:| ?=)? ?[\"']?([A-Z2-7]{16,}+)",
        entropy=3.0,
    ),
    anywhere(
        "app-password",
        ("app password", "app-specific password", "app specific password", "app_password"),
        r"(?i:app[-_ ](?:specific )?password)(?: is|:| ?=)? ?[\"']?([a-z]{4}(?:[ -]?[a-z]{4}){3})(?![a-z])",
        entropy=0.0,
    ),
    anywhere(
        "password",
        ("creds", "credentials"),
        r"(?i:creds|credentials)(?: are| is)?:? {1,2}[^\s/:|]{2,64}+ ?[/:|] ?(\S{5,64}+)",
        entropy=0.0,
        check=lambda value: is_random(value.rstrip(".,;"), least=5) and _is_password(value),
        general=True,
    ),
)

# Elements of a configuration file, such as Maven's settings.
ELEMENTS = (
    anywhere(
        "password",
        ("<password>", "<passphrase>", "<secret>", "<apikey>", "<token>"),
        r"<(?i:password|passphrase|secret|apikey|token)>([^<>\s]{6,256}+)</",
        check=_is_password,
    ),
)

RULES: tuple[SecretRule, ...] = (*ADDRESSES, *HEADERS, *COMMANDS, *HASHES, *KEYS, *CODES, *ELEMENTS)


_LONGEST_KEY = 65_536  # characters between the marks; what is farther apart does not belong together

_LONGEST_MANIFEST = 8_192  # characters after `kind: Secret` in which its data is looked for

_TAG = Late(r"<(/?)private\s{0,8}>", re.IGNORECASE)
_MARK = Late(r"-- ?(BEGIN|END) ([A-Z0-9 ]{0,60}+)--")
_MATERIAL = Late(r"[A-Za-z0-9+/_-]{32}")
_DATA = Late(r"\n(?:data|stringData):[ \t]{0,8}((?:\n[ \t]{1,16}[^\n]{0,4096}+){1,200}+)")
_ENTRY = Late(r"\n[ \t]{1,16}[A-Za-z0-9._-]{1,253}+:[ \t]{1,8}[\"']?([^\s\"'|>]{4,4096}+)")
_DOTTED = Late(r"\.[A-Za-z0-9_-]{6}\.([A-Za-z0-9_-]{27,45}+)(?![A-Za-z0-9_-])")
MIDDLE_OF_TOKEN = Late(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}")
_HEAD = Late(r"(?:\A|(?<![A-Za-z0-9_.-]))([MNO][A-Za-z0-9_-]{22,27}+)\Z")
_LINES = Late(
    r"-{0,3}(?:\s|\\{1,2}[nr])*+"
    r"(?:[A-Z][A-Za-z-]{2,12}: [^\n\\]{1,200}+(?:\s|\\{1,2}[nr])++){0,6}+"
    r"(?:[A-Za-z0-9+/=]{16,}+(?:\s|\\{1,2}[nr])*+)*+"
    r"(?:[A-Za-z0-9+/]{1,15}={1,2})?"
)


def private_spans(text: str) -> Iterator[tuple[int, int]]:
    """From `<private>` to its `</private>`, tags included; inner ones belong to the outer, an open one runs on."""
    depth = begin = 0
    for tag in _TAG.finditer(text):
        if text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]:
            continue  # only spoken of, in the way one writes of code
        if not tag.group(1):
            if depth == 0:
                begin = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield begin, tag.end()
    if depth:
        yield begin, len(text)


def private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Blocks that hold a private key, marks included. A mark that is only spoken of has no key behind it."""
    begin: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if begin is not None:
            closed = mark.group(1) == "END" and "PRIVATE KEY" in mark.group(2)
            yield from _block(text, begin, mark.start(), mark.end() if closed else None)
            begin = None
        if mark.group(1) == "BEGIN" and "PRIVATE KEY" in mark.group(2):
            begin = mark
    if begin is not None:
        yield from _block(text, begin, len(text), None)


def has_dotted_token(text: str) -> bool:
    """Whether a dotted token may be in a text, or in any beginning of it: the middle of one is there."""
    return text.count(".") > 1 and MIDDLE_OF_TOKEN.search(text) is not None


def dotted_tokens(text: str) -> Iterator[tuple[int, int]]:
    """Three random parts of fixed lengths with dots between them, as chat bots have: only the lengths tell.

    The middle part is looked for first, because two dots at that distance are rare.
    """
    for found in _DOTTED.finditer(text):
        head = _HEAD.search(text, max(0, found.start() - 29), found.start())
        if head is not None and is_mixed(head.group(1)) and is_mixed(found.group(1)):
            yield head.start(1), found.end()


def kubernetes_secrets(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """The values under `data` and `stringData` of a manifest that says it is a secret."""
    at = lowered.find("kind: secret")
    while at >= 0:
        document = lowered.find("\n---", at, at + _LONGEST_MANIFEST)
        end = document if document >= 0 else at + _LONGEST_MANIFEST
        blocks = () if lowered[at + 12 : at + 13].isalnum() else _DATA.finditer(text, at, end)
        for block in blocks:
            for value in _ENTRY.finditer(text, *block.span(1)):
                if not is_placeholder(value.group(1)):
                    yield value.span(1)
        at = lowered.find("kind: secret", end)


def _block(text: str, begin: re.Match[str], limit: int, end: int | None) -> Iterator[tuple[int, int]]:
    if end is None or limit - begin.end() > _LONGEST_KEY:
        lines = _LINES.match(text, begin.end(), limit)
        limit = end = lines.end() if lines else begin.end()
    if _MATERIAL.search(text, begin.end(), limit):
        yield _with_dashes(text, begin.start(), end)


def _with_dashes(text: str, start: int, end: int) -> tuple[int, int]:
    for _ in range(3):
        start -= start > 0 and text[start - 1] == "-"
        end += end < len(text) and text[end] == "-"
    return start, end
