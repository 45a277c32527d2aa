"""Personal data, taken out only when asked: mail, phone, payment card, bank account, social security number.

Numbers are everywhere, so a number must prove itself: a card by its check digit, an account by its country's length
and its remainder, a phone by the way people write one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from recollect.redaction.rules import SecretFinding

_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SD": 18,
    "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22,
    "VG": 24, "XK": 20,
}  # fmt: skip

_LOCAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-"
_LONGEST_LOCAL = 64  # characters before the @, by the standard
_DOMAIN = re.compile(r"(?:[A-Za-z0-9-]{1,63}+\.){1,4}[A-Za-z]{2,24}+(?![A-Za-z0-9-])")

_FILES = frozenset(
    "png jpg jpeg gif svg webp ico js mjs ts tsx css html json md txt py rb go rs java".split()
)  # icon@2x.png

# Each pattern begins with the characters it can begin with, and looks back only then: so `re` passes over all others.
_PHONE = re.compile(
    r"[0-9+(](?<![\w.+/#:-].)(?<![0-9] .)(?:"
    r"(?:(?<=\+)|(?<=0)0)[1-9][0-9]{0,2}[ .-]?(?:\([0-9]{1,5}\)[ .-]?)?[0-9]{1,5}(?:[ .-]?[0-9]{2,5}){1,5}"
    r"|(?<=\()[2-9][0-9]{2}\) ?[2-9][0-9]{2}[ .-][0-9]{4}"
    r"|(?<=1)[ .-]\(?[2-9][0-9]{2}\)?[ .-][2-9][0-9]{2}[ .-][0-9]{4}"
    r"|(?<=[2-9])[0-9]{2}([ .-])[2-9][0-9]{2}\1[0-9]{4}"
    r")(?![\w/]|[.:-][0-9])"
)
_CARD = re.compile(
    r"[0-9](?<![\w.+/#-].)"
    r"(?:[0-9]{12,18}|[0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|(?<=3)[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5})"
    r"(?![\w/]|[.-][0-9])"
)
_IBAN = re.compile(r"[A-Z](?<![A-Za-z0-9].)[A-Z][0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_SSN = re.compile(
    r"[0-8](?<![\w.-].)(?:(?<!0)[0-9]{2}|(?<=0)(?!00)[0-9]{2})(?<!666)-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![\w-]|\.[0-9])"
)
_CODE = re.compile(r"[Cc](?<![A-Za-z0-9].)[Vv][VvCc]2?(?: code| number)?(?: is|:|=)? {0,2}([0-9]{3,4})(?![0-9A-Za-z])")

_ISSUERS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|62[0-9]{14,17}"
)
_NOT_DIGITS = re.compile("[^0-9]++")


def personal_data(text: str) -> Iterator[SecretFinding]:
    """Every piece of personal data. They may overlap with each other and with secrets."""
    for start, end in _mail_addresses(text):
        yield SecretFinding(4, start, end, "email")
    for kind, pattern, proven in _KINDS:
        for match in pattern.finditer(text):
            start, end = match.span(1 if pattern is _CODE else 0)
            if proven is None or proven(text[start:end]):
                yield SecretFinding(4, start, end, kind)


def _mail_addresses(text: str) -> Iterator[tuple[int, int]]:
    at = text.find("@")
    while at >= 0:
        before = text[max(0, at - _LONGEST_LOCAL) : at]
        local = before[len(before.rstrip(_LOCAL)) :].lstrip(".'`*/=")
        domain = _DOMAIN.match(text, at + 1) if local and local != "git" else None
        if domain is not None and domain.group().rpartition(".")[2].lower() not in _FILES:
            yield at - len(local), domain.end()
        at = text.find("@", at + 1)


def _is_phone(value: str) -> bool:
    digits = _NOT_DIGITS.sub("", value)
    return 8 <= len(digits) <= 15 and len(set(digits)) > 2


def _is_card(value: str) -> bool:
    digits = _NOT_DIGITS.sub("", value)
    if _ISSUERS.fullmatch(digits) is None or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0


def _is_iban(value: str) -> bool:
    account = value.replace(" ", "")
    if len(account) != _IBAN_LENGTHS.get(account[:2]):
        return False
    return int("".join(str(int(character, 36)) for character in account[4:] + account[:4])) % 97 == 1


_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool] | None], ...] = (
    ("iban", _IBAN, _is_iban),
    ("card", _CARD, _is_card),
    ("card-code", _CODE, None),
    ("ssn", _SSN, None),
    ("phone", _PHONE, _is_phone),
)
