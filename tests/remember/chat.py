"""Messages in the shapes of real chat, made up by a seed: names and colons, fragments, lists, code, other languages."""

from __future__ import annotations

import random

_NAMES = (
    "Ana Bob Deploy Wei O'Brien Dr. Jean-Luc user Assistant the The URGENT Todo: Re @maya #team 李雷 Øystein".split()
)
_WORDS = (
    "I my we our the a an not no never always was is are has had used to move moved live lives in at on with and or "
    "but because if when since until before after yesterday tomorrow Tuesday 2024 March 3rd 10:00 9am port 8080 "
    "version 3.12 "
    "Postgres Redis Docker Berlin Paris Ovalis GmbH coffee tea vegan allergic nuts sister brother boss manager team "
    "project release deadline budget standup old new one this that it they she he him her its instead anymore longer "
    "like love hate prefer want need use uses run runs works worked switched from over than call called name named "
    "remember forget please ok thanks lol actually really please should would could might maybe years months ago"
).split()
_FOREIGN = (
    "Ich wohne jetzt in Köln.",
    "J'habite à Paris depuis 2019, pas à Lyon.",
    "Vivo en Madrid; mi hermana no.",
    "我住在北京。",
    "私は東京に住んでいます。",
    "أعيش في القاهرة",
    "Я живу в Москве, а не в Киеве.",  # noqa: RUF001
    "मैं दिल्ली में रहता हूँ।",
    "İstanbul'da yaşıyorum",  # noqa: RUF001
    "ｆｕｌｌ ｗｉｄｔｈ",  # noqa: RUF001
)
_CODE = (
    "```python\ndef f(x):\n    return x\n```",
    "`make test` fails",
    "SELECT * FROM notes WHERE id = 'x';",
    "$ git push --force",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>',
    "{'a': [1, 2, {'b': None}]}",
    "if (a && b) { return; }",
    '<div class="x">my name is Ana</div>',
)
_MARKS = (
    ", ",
    ". ",
    "; ",
    ": ",
    " - ",
    " — ",
    "? ",
    "! ",
    "... ",
    " (",
    ") ",
    ' "',
    '" ',
    "\n",
    "\n\n",
    " / ",
    ", not ",
    "’s ",
    "'s ",
    " ",
    " ",
)
_ODD = (
    "🎉",
    "👍🏽",
    "https://example.org/a?b=c#d",
    "a@b.example",
    "\u200b",
    "\u202e",
    "½",
    "№5",
    "100%",
    "$5",
    "~/x",
    "C:\\x",
    "::",
    "“",
    "”",
)


def messages(number: int, seed: int) -> list[str]:
    """That many messages, always the same for a seed."""
    chance = random.Random(seed)
    return [_message(chance) for _ in range(number)]


def _message(chance: random.Random) -> str:
    shape = chance.randrange(8)
    if shape == 0:
        return f"{chance.choice(_NAMES)}: {_run(chance, 12)}"
    if shape == 1:
        return "\n".join(
            f"{chance.choice(('-', '*', '1.', '•', '[ ]'))} {_run(chance, 6)}" for _ in range(chance.randint(1, 6))
        )
    if shape == 2:
        return f"{_run(chance, 4)}: {chance.choice(_WORDS).title()}, not {_run(chance, 4)}"
    if shape == 3:
        return f"{_run(chance, 6)}\n{chance.choice(_CODE)}\n{_run(chance, 6)}"
    if shape == 4:
        return f"{chance.choice(_FOREIGN)} {_run(chance, 5)}"
    if shape == 5:
        return f"> {_run(chance, 8)}\n{_run(chance, 8)}"
    if shape == 6:
        return "\n".join(f"{chance.choice(_NAMES)}: {_run(chance, 7)}" for _ in range(chance.randint(2, 4)))
    return _run(chance, 20)


def _run(chance: random.Random, longest: int) -> str:
    said = ""
    for _ in range(chance.randint(1, longest)):
        word = chance.choice(_ODD) if chance.random() < 0.06 else chance.choice(_WORDS)
        word = word.title() if chance.random() < 0.12 else word
        said += word + (chance.choice(_MARKS) if chance.random() < 0.3 else " ")
    return said.strip() if chance.random() < 0.8 else said
