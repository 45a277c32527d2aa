"""Notes and questions that were never anyone's, but are shaped like someone's.

Words follow Zipf's law: a few are everywhere, most are rare, as in any language. The first N notes are the same
whatever the size, and every question is about one of the first thousand, so that the same questions can be
asked of stores of different sizes. The same seed makes the same corpus, letter by letter.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice, product

from recollect.domain.clock import encode_id
from recollect.domain.dataclass import dataclass

# The small words of English, roughly from the commonest on. They say little, so that questions do without them.
SMALL_WORDS = """the of and to a in is it that was for on are with as i be at by we this had not but have from or they
you all her she there can if more when will would who so no what up out about into than them some could these two then
do my over such our me did must before very how here between under where most through down should because each just
those while only does too any same other against been being both few off own until again above after""".split()

ASKABLE = 1_000  # the notes that questions are about; every store has them all

_VOCABULARY = 30_000  # words besides: about as many as 100,000 short notes in English would have
_COMMON = 300  # of them, the commonest: each is in up to one note of a hundred
_PROJECTS, _TAGS, _SUBJECTS = 20, 60, 2_000
_KINDS = {"semantic": 60, "episodic": 20, "procedural": 12, "lesson": 6, "pattern": 2}
_CORRECTED = 0.10  # of the notes have a second version with another text
_ENDED = 0.05  # of the notes are no longer true
_PINNED = 0.001  # of the notes are pinned

_BEGIN, _SPAN = datetime(2024, 1, 1, tzinfo=UTC), timedelta(days=700)

_OPENINGS = ("", "", "", "how do we ", "what is ", "where was the ", "why did we ")
_PAGE_WORDS = 200  # a prompt that a hook hands over as it is


@dataclass(frozen=True, slots=True)
class Entry:
    """One generated note. `earlier` is what its first version said, if it was corrected."""

    id: str
    text: str
    earlier: str | None
    ended: bool
    facts: dict[str, object]


@dataclass(frozen=True, slots=True)
class Question:
    """What someone asks, and the id of the note they have in mind, if it is one."""

    text: str
    target: str | None = None


def entries(size: int, *, seed: int) -> list[Entry]:
    """The first `size` notes. Their ids, and so their times, are in no order."""
    return list(islice(_entries(seed), size))


def lines(notes: Sequence[Entry], *, space: str) -> list[str]:
    """The notes as lines of an export, oldest first: what `import` takes."""
    in_time = sorted(notes, key=lambda note: note.id)
    return [json.dumps({**record, "space": space}) for note in in_time for record in _versions(note)]


def texts(size: int, *, seed: int) -> list[str]:
    """Texts to save: of the same language, but not those of the notes."""
    return [entry.text for entry in islice(_entries(seed), ASKABLE, ASKABLE + size)]


def pointed_questions(size: int, *, seed: int) -> list[Question]:
    """Two to six telling words of one note, in their order, sometimes asked the way people ask."""
    chance = random.Random(f"pointed {seed}")
    askable = [note for note in entries(ASKABLE, seed=seed) if not note.ended]
    made: list[Question] = []
    while len(made) < size:
        note = chance.choice(askable)
        told = list(dict.fromkeys(note.text.lower().replace(".", "").split()))
        telling = [word for word in told if word not in SMALL_WORDS]
        wanted = chance.randint(2, 6)
        if len(telling) >= wanted:
            chosen = set(chance.sample(telling, wanted))
            asked = " ".join(word for word in told if word in chosen)
            made.append(Question(chance.choice(_OPENINGS) + asked, note.id))
    return made


def broad_questions(size: int, *, seed: int) -> list[Question]:
    """Two to six of the commonest words: nobody's in particular, and thousands of notes have one of them."""
    chance = random.Random(f"broad {seed}")
    common = _vocabulary(seed)[len(SMALL_WORDS) :][:_COMMON]
    return [Question(" ".join(chance.sample(common, chance.randint(2, 6)))) for _ in range(size)]


def page_questions(size: int, *, seed: int) -> list[Question]:
    """A page of text as the question."""
    chance = random.Random(f"pages {seed}")
    words = _vocabulary(seed)
    zipf = _zipf(len(words))
    return [Question(" ".join(chance.choices(words, cum_weights=zipf, k=_PAGE_WORDS))) for _ in range(size)]


def _entries(seed: int) -> Iterator[Entry]:
    """Notes without end."""
    chance = random.Random(f"notes {seed}")
    words = _vocabulary(seed)
    zipf = _zipf(len(words))
    kinds, weights = list(_KINDS), list(_KINDS.values())

    def text() -> str:
        sentences = [
            " ".join(chance.choices(words, cum_weights=zipf, k=chance.randint(5, 12))).capitalize()
            for _ in range(chance.randint(1, 3))
        ]
        return ". ".join(sentences) + "."

    def skewed(below: int) -> int:
        """The small numbers more often: some projects and tags are larger than others."""
        return int(below * chance.random() ** 2)

    while True:
        moment = _BEGIN + _SPAN * chance.random()
        yield Entry(
            id=encode_id((int(moment.timestamp() * 1000) << 80) | chance.getrandbits(80)),
            text=text(),
            earlier=text() if chance.random() < _CORRECTED else None,
            ended=chance.random() < _ENDED,
            facts={
                "kind": chance.choices(kinds, weights)[0],
                "subject": f"subject-{chance.randrange(_SUBJECTS)}" if chance.random() < 0.3 else None,
                "scope": {"project": f"project-{skewed(_PROJECTS)}"} if chance.random() < 0.7 else {},
                "tags": sorted({f"tag-{skewed(_TAGS)}" for _ in range(chance.randint(0, 3))}),
                "pinned": chance.random() < _PINNED,
                "recorded_at": moment.isoformat(),
                "valid_from": moment.isoformat(),
                "last_seen_at": moment.isoformat(),
            },
        )


def _versions(note: Entry) -> Iterator[dict[str, object]]:
    recorded = datetime.fromisoformat(str(note.facts["recorded_at"]))
    record = {"type": "note", "id": note.id, **note.facts}
    if note.ended:
        record |= {"state": "superseded", "valid_until": (recorded + timedelta(days=7)).isoformat()}
    said = [note.text] if note.earlier is None else [note.earlier, note.text]
    for number, text in enumerate(said):
        updated = recorded + timedelta(hours=number)
        yield {**record, "version": number + 1, "text": text, "updated_at": updated.isoformat()}


def _vocabulary(seed: int) -> list[str]:
    """From the commonest word to the rarest: the small words, then made-up ones that no stemmer cuts or merges."""
    onsets = ("b", "br", "c", "ch", "d", "dr", "f", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "r", "s", "st")
    vowels, codas = ("a", "e", "i", "o", "u", "ai", "ou"), ("", "n", "r", "t", "l", "sk", "m", "x")
    possible = {"".join(sounds) for sounds in product(onsets, vowels, onsets, vowels, codas)}
    whole = sorted(word for word in possible if not word.endswith(("e", "er")))
    return [*SMALL_WORDS, *random.Random(f"words {seed}").sample(whole, _VOCABULARY)]


def _zipf(size: int) -> list[float]:
    """Cumulative weights: the second word half as often as the first, the third a third."""
    return list(accumulate(1 / rank for rank in range(1, size + 1)))
