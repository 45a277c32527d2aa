"""A value given to a name that means a secret: `DB_PASSWORD=…`, `"api_key": "…"`, `my password is …`.

The name alone decides nothing: most passwords in a text are only spoken of. So the value must look like one as well,
and the less sure the name and the way it is written, the more it must.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from recollect.domain.late import Late
from recollect.language.english.small_words import SAID_OF_PASSWORDS
from recollect.redaction.names import (
    BETWEEN,
    HARMLESS_ACTS,
    HARMLESS_AFTER,
    HARMLESS_THINGS,
    OPENING,
    VENDORS,
    WHOLE,
    WORDS,
)
from recollect.redaction.values import (
    entropy,
    has_digit,
    is_code,
    is_mixed,
    is_name,
    is_placeholder,
    is_random,
    is_reference,
    is_sentence,
)

_LONGEST_NAME = 48  # characters of a name before the word that says what it is
_STRONG = 20  # characters of a random value that needs no good name

_ABOUT = HARMLESS_AFTER | {"token", "secret", "password", "passphrase"}  # or the later word decides
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_.-"
_PARTS = Late(r"[A-Z]?[a-z]++|[A-Z]{1,80}(?![a-z])|[0-9]++")

# The rest of the name, what closes it (a quote, a bracket, bold print), and the sign that gives it a value.
_GIVEN = Late(
    r"(?P<rest>[A-Za-z0-9_-]{0,32}+)(?: \([^()\n]{1,30}\))?[\"'`\])*\\]{0,4}+"
    r"(?:(?P<sign>[ \t]{0,8}+(?:=>|:=|\?=|\|\|=|={1,3}|::?|->|→|\uff1a)(?:\*\*)?[ \t]{0,8}+| [—–-] )"
    r"|(?P<tag>>)|[ \t]{0,8}+\|[ \t]{0,8}+"
    r"|,?\s{1,24}+[\"']?[Vv]alue[\"']?[ \t]?[:=][ \t]?"
    r"|(?P<space>[ \t]{1,2}+(?=[\"'`])))"
)
_FLAG = Late(r"(?P<rest>[A-Za-z0-9_-]{0,32}+)(?P<sign>)(?P<tag>(?!))?(?P<space>(?!))?[ \t]{1,2}+")

# The same in a sentence. What is between the word and the verb may say what it is for.
_SAID = Late(
    r"s?(?: \([^()\n]{1,30}\))?"
    r"(?P<between> (?:(?:for|to|of|on|at|in|from)|(?P<loose>you|i|we|they|he|she|that|which|here)) "
    r"(?:[^\n.,;:!?\"'=]|'(?=s )){1,48}?)?"
    # The `'s` of an owner, as in "for my sister's phone is", gives nothing.
    r"(?:(?: (?:is|was|are|will be|ist|war|lautet|es|era|est|é)\b"
    r"|['’]s\b(?(between)(?! [^\W\d_]{1,20}(?: [^\W\d_]{1,20})? (?:is|was|are)\b))| ?[:=](?= ))"
    r"(?: (?:now|currently|still|just|set to|changed to|actually|simply|literally))?[:=]?[ ]{1,2}| ?[是为は는은]\s?)"
)
_TO = Late(r"(?: (?:for|from|of|on) [^\n.,;:!?]{1,40}?)? to[ ]{1,2}(?P<loose>(?!))?")
# With nothing between, it must be a value that nobody would write for another reason.
_NEXT = Late(r"(?P<loose> )(?=[^\s\"'`<>]{0,64}[0-9])(?=[^\s\"'`<>]{8})")

# A value in quotes, or up to a blank or to the next of several pairs: `Password=…;Encrypt=true`. A quote inside a bare
# one belongs to it if more of it follows.
_VALUE = Late(
    r"(?![\"'`\\]{0,4}\[redacted:[a-z0-9-]{1,60}+\])(?:(?P<quoted>"
    r'[bru]{0,2}"(?P<double>(?:[^"\\\n]|\\.){1,4096}+)"'
    r"|[bru]{0,2}'(?P<single>(?:[^'\\\n]|\\.){1,4096}+)'"
    r"|`(?P<tick>[^`\n]{1,4096}+)`"
    r'|\\{1,3}"(?P<escaped>[^"\\\n]{1,4096}+)'
    r")|[\"'`(]?(?P<bare>[^\s\"'`<>&;,]{0,4096}+"
    r"(?:[&;,](?![A-Za-z][A-Za-z0-9_ .-]{0,40}+[=:])[^\s\"'`<>&;,]{0,256}+){0,16}+"
    r"(?:(?<=[\w!@#$%^&*])[\"'`](?=[\w!@#$%^&*])[^\s\"'`<>,;)}\]]{1,256}+){0,4}+))"
)
_CHANGED = Late(r"\b(?:set|sets|change|changed|changing|update|updated|reset|rotate|rotated|switched)\b[^\n.;]{0,40}$")

_NAMED = Late(
    r"(?P<rest>[A-Za-z0-9_. -]{0,28}?)[\"'`\])*\\]{0,4}(?:[ \t]{0,4}(?:=>|:=|={1,2}|:)[ \t]{0,4}| is )"
    r"[\"'`\\(]{0,3}(?P<bare>[A-Za-z0-9_+/=.:-]{16,200}+)(?![A-Za-z0-9+/=_-])"
)

_QUERY_END = Late("[&#]")
# A beginning that everybody knows makes a short or made-up value a token, once its name says it is one.
_WELL_KNOWN = Late(r"(?:sk|pk|rk|gh[opusr]|xox[a-z]|glpat|hf|npm|AKIA|AIza|eyJ)[-_A-Za-z0-9]{10}")
_SPACE = Late(r"\s")
_SYMBOL = Late(r"[!@#$%^&*+=~?]")
_LINE_START = Late(r"(?:^|\n)[ \t\-\"'`*>]*+(?:export |set |ENV |\$env:)?[\"'`*]*+\Z")
_LINE_END = Late(r"[ \t]*+(?:$|\n|#|//|\\n)")
_AFTERWARDS = Late(r"[ \t]*+(?:$|[\n,;.!?)}\]\"'|#]|//)")
_TWO_HUMPS = Late(r"[A-Za-z][a-z]++[A-Z][a-z]")
_DIGITS = Late(r"[0-9]{6,64}")
_ADJECTIVES = tuple("ed ing able ible ly ful ous less sensitive only".split())  # how they end


class Assignment(NamedTuple):
    """A value given to a name, and how far it was read. `kind` is `None` if it is no secret."""

    kind: str | None
    start: int
    end: int


def assigned_to_word(text: str, lowered: str, at: int, word: str) -> Assignment | None:
    """The value given to the name that has `word` at this place. `None` if there is no value."""
    after = at + len(word)
    given = _GIVEN.match(text, after)
    if given is None and "--" in lowered[max(0, at - _LONGEST_NAME) : at]:
        given = _FLAG.match(text, after)
    said = None if given is not None else _said(text, lowered, at, after)
    sign = given or said
    before = _before(text, lowered, at, word) if sign is not None else None
    # What is about a secret has a value as well, but that is not even read: it can be long, and begin again and again.
    if sign is None or before is None or _is_harmless(text, after, word, before, given["rest"] if given else ""):
        return None
    # A word before the name is not part of it, though it may say more about it.
    begin = at if before.endswith(" ") else at - len(before)
    if given is not None and not _gives(text, begin, word, given):
        return None
    value = _VALUE.match(text, sign.end())
    if value is None:
        return None
    if given is not None:
        return _judged(text, begin, at, word, before, given["sign"], value)
    return _judged_in_prose(text, word, before, value, loose=sign["loose"] is not None)


def _said(text: str, lowered: str, at: int, after: int) -> re.Match[str] | None:
    changed = lowered.find(" to ", after, after + _LONGEST_NAME) >= 0 and _CHANGED.search(lowered, max(0, at - 60), at)
    to = _TO.match(text, after) if changed else None
    return to or _SAID.match(text, after) or _NEXT.match(text, after)


def assigned_to_vendor(text: str, at: int, vendor: str) -> Assignment | None:
    """The key given to a vendor's name, if it has the vendor's shape."""
    if at and text[at - 1].isalnum():
        return None
    named = _NAMED.match(text, at + len(vendor))
    if named is None:
        return None
    start, end = named.span("bare")
    told = named["bare"].rstrip(".,;:")  # what ends the sentence is no part of the key
    fits = _parts(named["rest"]) <= BETWEEN and _shape(vendor).fullmatch(text, start, start + len(told)) is not None
    secret = fits and has_digit(told) and entropy(told) >= 2.5
    return Assignment(f"{vendor.replace('_', '-')}-key" if secret else None, start, end)


@cache
def _shape(vendor: str) -> re.Pattern[str]:
    return re.compile(VENDORS[vendor])


def _before(text: str, lowered: str, at: int, word: str) -> str | None:
    """The part of the name before the word. `None` if the word is only a part of another."""
    segment = lowered[max(0, at - _LONGEST_NAME) : at]
    begin = at - len(segment) + len(segment.rstrip(_NAME_CHARACTERS))
    before = text[begin:at]
    if before and before[-1].isalnum() and word in WHOLE and not (text[at].isupper() and before[-1].islower()):
        return None
    if not before and at >= 2 and text[at - 1] == " ":
        # `api key`, `access token`: the word before belongs to the name.
        begin = at - len(segment) + len(segment[:-1].rstrip(_NAME_CHARACTERS))
        before = text[begin:at].lstrip(" ")
    return before


def _gives(text: str, begin: int, word: str, given: re.Match[str]) -> bool:
    """Whether the sign is one that gives a value to a name that begins there."""
    previous = text[begin - 1 : begin]
    if given["tag"] is not None:
        return previous == "<"
    if given["space"] is not None:
        return WORDS[word] == "password" and word not in WHOLE
    # After a colon it is a part of a path of names: `arn:aws:secretsmanager:…:secret:name`, `AWS::IAM::AccessKey`.
    return previous != ":"


def _is_harmless(text: str, after: int, word: str, before: str, rest: str) -> bool:
    """The name is of something about a secret, or of another thing altogether."""
    if (
        rest[:1].isalpha()
        and not (rest[0].isupper() and text[after - 1].islower())
        and (rest not in ("s", "S") or word == "token")
    ):
        return True
    if rest and not _parts(rest).isdisjoint(_ABOUT):
        return True
    parts = _parts(before)
    return not (parts.isdisjoint(HARMLESS_THINGS) and (before.endswith(" ") or parts.isdisjoint(HARMLESS_ACTS)))


@lru_cache(maxsize=1_024)  # names come again and again; each is short
def _parts(name: str) -> frozenset[str]:
    """The parts of a name, in lower case: those of `apiKey_v2` are api, key, v and 2."""
    return frozenset(part.lower() for part in _PARTS.findall(name))


def _judged(
    text: str, begin: int, at: int, word: str, before: str, sign: str | None, found: re.Match[str]
) -> Assignment:
    quoted, start, end = _value(text, found)
    if not quoted and text[begin - 1 : begin] in ("?", "&"):
        end = start + len(_QUERY_END.split(text[start:end], maxsplit=1)[0])
    value = text[start:end]
    shouted = text[begin : at + len(word)].isupper()
    kind = WORDS[word]
    secret: bool | None
    if kind == "api-key":
        secret = _is_key(value, before, quoted=quoted, shouted=shouted)
    elif kind != "password":
        secret = _is_token(value, quoted=quoted, least=16 if word == "auth" else 6 if quoted else 8)
    elif word == "pass" and not shouted and not is_random(value, least=6):
        secret = False
    else:
        secret = _is_password(value, quoted=quoted, word=word)
        if secret is None:
            secret = (shouted and _has_no_blanks(sign)) or _is_alone(text, begin, end)
    return Assignment(kind if secret else None, start, end)


def _has_no_blanks(sign: str | None) -> bool:
    return sign is not None and sign != "" and sign == sign.strip()


def _is_alone(text: str, begin: int, end: int) -> bool:
    """Whether the name and its value have a line for themselves, as in a file of settings."""
    return _LINE_START.search(text, max(0, begin - 40), begin) is not None and _LINE_END.match(text, end) is not None


def _judged_in_prose(text: str, word: str, before: str, found: re.Match[str], *, loose: bool) -> Assignment:
    quoted, start, end = _value(text, found)
    value = text[start:end]
    kind = WORDS[word]
    if kind == "api-key":
        secret = _is_key(value, before, quoted=quoted, shouted=not loose)
    elif kind != "password" or word in WHOLE:
        secret = _is_token(value, quoted=quoted, least=_STRONG if loose else 8)
    elif loose:
        secret = is_mixed(value) and is_random(value) and not is_placeholder(value)
    elif has_digit(value) or _SYMBOL.search(value) or (quoted and word == "passphrase"):
        secret = len(value) >= 4 and _is_password(value, quoted=quoted, word=word) is not False
    else:
        secret = (
            (quoted or _AFTERWARDS.match(text, end) is not None)
            and value.isalpha()
            and len(value) >= 4
            and not value.lower().endswith(_ADJECTIVES)
            and _is_password(value, quoted=quoted, word=word) is not False
        )
    return Assignment(kind if secret else None, start, end)


def _value(text: str, found: re.Match[str]) -> tuple[bool, int, int]:
    """Whether it is quoted, and where it stands. What ends a sentence or a list does not belong to it."""
    if found["quoted"] is not None:
        group = next(name for name in ("double", "single", "tick", "escaped") if found[name] is not None)
        return True, *found.span(group)
    start, end = found.span("bare")
    value = text[start:end]
    if not (")" in value and "(" in value):
        value = value.split(")", 1)[0] if value.endswith((")", ");", "),", ").")) else value
    return False, start, start + len(value.rstrip(".,;:)]}*|"))


def _is_password(value: str, *, quoted: bool, word: str) -> bool | None:
    """`None` means: only where it is plain that a value is given, for it could as well be a name or a word."""
    if word == "passcode" and value.isdecimal() and len(value) >= 4:
        return True  # it can be nothing but a few digits
    if len(value) < 3 or is_placeholder(value) or value.lower() in SAID_OF_PASSWORDS:
        return False
    if _SPACE.search(value):
        return not is_sentence(value) and (word == "passphrase" or has_digit(value))
    if quoted:
        if (value.isalpha() and _TWO_HUMPS.match(value)) or ("." in value and is_name(value) and not has_digit(value)):
            return False
        return not is_reference(value) or _DIGITS.fullmatch(value) is not None
    return _is_bare_password(value)


def _is_bare_password(value: str) -> bool | None:
    """The same of one word without quotes."""
    if _DIGITS.fullmatch(value):
        return True
    if is_code(value) or is_reference(value) or len(value) < 4:
        return False
    if has_digit(value) or _SYMBOL.search(value):
        return None if is_name(value) and not (value.isalnum() and "pass" not in value.lower()) else True
    return None if value.isalpha() and "pass" not in value.lower() and _TWO_HUMPS.match(value) is None else False


def _is_token(value: str, *, quoted: bool, least: int) -> bool:
    if is_placeholder(value) or is_sentence(value) or (not quoted and is_code(value)):
        return False
    if _SPACE.search(value):
        return False
    if _WELL_KNOWN.match(value):
        return True
    if is_random(value, least=least):
        return True
    # Random letters can be without a digit, but then they must be many, and of both cases.
    both = value != value.lower() and value != value.upper()
    return both and len(value) >= 24 and entropy(value) >= 3.5 and not is_name(value) and not is_reference(value)


def _is_key(value: str, before: str, *, quoted: bool, shouted: bool) -> bool:
    parts = [part.lower() for part in _PARTS.findall(before)]
    if not parts:
        return False
    opening = parts[-1] in OPENING or before.lower().rstrip("_-. ").endswith(("api", "secret", "access", "private"))
    if opening:
        return _is_token(value, quoted=quoted, least=8)
    return shouted and len(value) >= _STRONG and _is_token(value, quoted=quoted, least=_STRONG)
