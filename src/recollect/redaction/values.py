"""Does a value look like a secret? Measures and exclusions that know nothing of where the value stands.

Each reads its value once, however long it is.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections import Counter

from recollect.domain.late import Late
from recollect.language.english.small_words import OF_PROSE

_MEASURED = 512  # characters; more do not change the measure, and a long value must not cost more


def entropy(value: str) -> float:
    """Bits per character of the first few hundred characters."""
    sample = value[:_MEASURED]
    size = len(sample)
    return -sum(count / size * math.log2(count / size) for count in Counter(sample).values()) if size else 0.0


def has_digit(value: str) -> bool:
    """At least one digit: random letters have one sooner or later, words do not."""
    return _DIGIT.search(value) is not None


def is_mixed(value: str) -> bool:
    """Capitals, small letters and digits, all three: what random base64 has and a hash in hex has not."""
    return has_digit(value) and value != value.lower() and value != value.upper()


def is_placeholder(value: str) -> bool:
    """Stands for a secret, or says there is none: `<your-key>`, `${TOKEN}`, `****`, `none`, `changeme`."""
    plain = value.strip().lower()
    if plain in _STAND_INS or _STANDS_FOR.match(plain) is not None or len(set(plain)) <= 2:
        return True
    return _ASKED_FOR.match(plain) is not None and not has_digit(plain)


def is_code(value: str) -> bool:
    """An expression to be evaluated, or the name of a variable, and not itself a value."""
    return _EXPRESSION.match(value) is not None


def is_name(value: str) -> bool:
    """Words joined by hyphens, dots, slashes or underscores: `my-service.token_v2`. Each has at most two digits."""
    return _NAME.fullmatch(value) is not None


def is_reference(value: str) -> bool:
    """A path, an address, a date, a version, a number or the like: it says where or when, and opens nothing."""
    return _REFERENCE.match(value) is not None


def is_sentence(value: str) -> bool:
    """Several words, some of them the small ones that only sentences have."""
    words = value.lower().split()
    return len(words) > 1 and any(word.strip(".,!?;:") in OF_PROSE for word in words)


def is_random(value: str, *, least: int = 8) -> bool:
    """Letters and digits without a pattern one can read: what a token looks like whose format we do not know."""
    if len(value) < least or not has_digit(value) or _LETTER.search(value) is None:
        return False
    return entropy(value) >= (3.0 if len(value) >= 16 else 2.5) and not is_name(value) and not is_reference(value)


def is_credentials(value: str) -> bool:
    """Base64 of `user:password`, as in a `Basic` header."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in plain and plain.isprintable()


def is_private_key(value: str) -> bool:
    """Base64 of a private key's file. A certificate begins almost the same way, and is no secret."""
    try:
        return b"PRIVATE KEY" in base64.b64decode(value[:64])
    except binascii.Error:
        return False


_DIGIT = Late("[0-9]")
_LETTER = Late("[A-Za-z]")

_STAND_INS = frozenset(
    """
    none null nil undefined true false yes no na n/a unset empty blank default unknown missing hidden redacted masked
    omitted removed filtered secret secrets password passwd passphrase pass pwd passwort token tokens apikey api_key
    api-key key keys credential credentials changeme changeit change_me change-me changethis replaceme replace_me
    replace-me placeholder example sample dummy fake test testing todo tbd fixme foo bar baz foobar string str text
    int integer number bool boolean bytes object array list dict map any optional required value varchar char uuid
    hash encrypted username user name email login enter insert here see below above same
    """.split()
)

# Matched against lower case.
_STANDS_FOR = Late(
    r"""(?x)
      \[redacted | \[[a-z\ _-]++\] | < | \{\{ | \{[a-z_.]*+\} | \#\{ | %[a-z_({] | \?$
    | @[a-z_.]++@?+$ | :[a-z_]++$ | [x*.•#_-]++$
    | \$[{(] | \$[a-z_]++$ | \$[a-z0-9_]{0,40}? (?: pass|pwd|secret|token|key|cred|auth )
    | (?: your | insert | changeme | replaceme | placeholder | example | redacted | dummy )
    | .{0,12} (?: \.\.\. | … | \*\*\* | xxxx | •• | your | -here | _here | goes_here | _goes_ )
    | enc\[ | \{cipher\} | !vault | (?: vault|op|env|ref|file|secret|ssm|keyring|awssm|gcpsm|akv|keychain ) [:+]
    """
)
_ASKED_FOR = Late("(?:my|the|an?|some|enter|put|add|use|replace|sample|fake|change)[-_ .]")

_EXPRESSION = Late(
    r"""(?x)
    # a.b.c, a->b, A::b
      [A-Za-z_$][A-Za-z0-9_$]*+ (?: (?: \.|->|::|\?\.|!\. ) [A-Za-z_$][A-Za-z0-9_$]*+ )++ (?: [\[(,;)}!] | $ )
    # f(x), a[0], T{}
    | [A-Za-z_$][A-Za-z0-9_$.:]*+ [\[({]
    | [({\[|\\)] | // | /\* | => | -> | f["'] | \$[{(] | \$[A-Z_][A-Z0-9_]*+$ | %[A-Za-z({]
    | [&!*~][A-Za-z_]*+$ | [@:][A-Za-z_]++$
    | (?: new|await|async|return|lambda|not|if|typeof|function ) $
    """
)

# A part of a name is in camel case or in one case; random letters are in neither.
_PART = "(?>[A-Z]?[a-z]{2,20}+(?:[A-Z][a-z]{1,20}+){1,6}+|[A-Z]?[a-z]{1,40}+|[A-Z]{1,40}+)?+[0-9]{0,2}+"
_NAME = Late(
    f"{_PART}(?:[-_./:#]{_PART}){{0,20}}+|[A-Z]{{2,6}}[0-9]{{0,2}}+(?:[A-Z][a-z]{{2,20}}+){{3,6}}+[0-9]{{0,2}}"
)

_REFERENCE = Late(
    r"""(?x)
    # paths and addresses; base64 may begin with a slash as well, but it is long and has nothing that paths have
      /(?![A-Za-z0-9+/]{30,90}={0,2}$) | \.\.?/ | ~/ | [A-Za-z]:\\ | [a-z][a-z0-9+.-]{1,12}://
    | (?: arn|urn|projects|file|mailto|md5|sha[0-9]{1,3} ) [:/-] | [^\s@:]{1,64}+@[A-Za-z0-9-]{1,64}+\.[A-Za-z.]++$
    # dates and times
    | [0-9]{4}-[0-9]{2}-[0-9]{2} | [0-9]{1,2}[:/.][0-9]{1,2} (?: [:/.][0-9]{1,4} ){0,3} (?: \s?[ap]m )? $
    # versions, numbers of things, and numbers with a unit
    | [A-Z]{1,4}-?[0-9]{1,9} (?: [.-][0-9]{1,9} ){1,4}+ $ | v?[0-9]{1,9} (?: \.[0-9A-Za-z-]++ )++ $ | [<>~^=]=?\s?[0-9]
    | [-+$€£#]?[0-9][0-9_,.]*+ \s?
      (?: % | [kKMGT]?i?[bB] | [kKMx] | ms | [smhd] | px | r?em | st | nd | rd | th | [ap]m
        | (?: bit|byte|char|character|sec|second|min|minute|hr|hour|day|token ) s? )? $
    | [0-9]{1,4}[-–]?(?:[0-9]{1,4}[-–]?)? (?: char|digit|letter|byte|bit|word|day|hour|minute|second|month|year )
    # what things are called that have a number
    | (?: sha|md|utf|rfc|iso|aes|rsa|oauth|http|tls|ssl|hmac|base|bcrypt|argon|pbkdf|hs|rs|es|ps|ed ) -?
      [0-9]{1,5} (?: [-_.][A-Za-z0-9]{1,8} ){0,4}+ $
    """
)
