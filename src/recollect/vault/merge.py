"""Two documents of one note that came from a third, brought together field by field and line by line.

The merge is total, so that a sync cannot be blocked; deterministic and the same with its sides swapped, so that
machines that merge on their own end with the same bytes. Of a field that both changed the later change stands, and
the other is named under `conflicts` for a person to look at. A text that is edited here and deleted there is kept.

Where both changed the same lines, both are kept, in an order that depends on the lines alone and not on whose they
are. There are no markers: whoever reads the note reads what was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import Match, SequenceMatcher
from typing import Any, assert_never

from recollect.domain.clock import just_after
from recollect.domain.dataclass import dataclass, replace
from recollect.domain.origin import lowest
from recollect.vault.documents import Document, in_order, stand_in_title, written
from recollect.vault.front_matter import DEFAULTS, KEYS, Entry, Fields, Nature, Value, authority_of

MANY_LINES = 1000  # of a text


@dataclass(frozen=True, slots=True)
class MergedText:
    """The text of both, and whether they changed the same lines."""

    text: str
    clashed: bool


def merged_text(before: str, ours: str, theirs: str) -> MergedText:
    """Merge both sides line by line. Swapping them changes nothing."""
    if ours == theirs or before == theirs:
        return MergedText(ours, False)
    if before == ours:
        return MergedText(theirs, False)
    old, one, two = before.split("\n"), ours.split("\n"), theirs.split("\n")
    head = min(_common(old, one), _common(old, two))
    told = old[:head]
    old, one, two = old[head:], one[head:], two[head:]
    clashed = False
    place, in_one, in_two = 0, 0, 0
    for start, end, start_one, start_two in _unchanged_by_both(old, one, two):
        chunk, clash = _chunk(old[place:start], one[in_one:start_one], two[in_two:start_two])
        told += [*chunk, *old[start:end]]
        clashed |= clash
        place, in_one, in_two = end, start_one + end - start, start_two + end - start
    return MergedText("\n".join(told), clashed)


def _unchanged_by_both(
    old: Sequence[str], one: Sequence[str], two: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Runs of old lines that both sides still have: their start and end, and where each side has them."""
    kept_one, kept_two = _matching(old, one), _matching(old, two)
    a, b = next(kept_one, None), next(kept_two, None)
    while a and b:
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            yield start, end, a.b + start - a.a, b.b + start - b.a
        if a.a + a.size < b.a + b.size:
            a = next(kept_one, None)
        else:
            b = next(kept_two, None)
    yield len(old), len(old), len(one), len(two)


def _matching(old: Sequence[str], new: Sequence[str]) -> Iterator[Match]:
    """Runs that both have. In long texts lines that are everywhere count for nothing: comparing them takes for ever."""
    found = SequenceMatcher(None, old, new, autojunk=len(old) > MANY_LINES).get_matching_blocks()
    return (run for run in found if run.size)


def _chunk(old: Sequence[str], one: Sequence[str], two: Sequence[str]) -> tuple[list[str], bool]:
    """Lines between two unchanged runs, and whether both sides changed what was there."""
    if list(one) == list(two) or list(two) == list(old):
        return list(one), False
    if list(one) == list(old):
        return list(two), False
    if _within(one, two):
        return list(two), bool(old)
    if _within(two, one):
        return list(one), bool(old)
    head = _common(one, two)
    tail = _common(one[head:][::-1], two[head:][::-1])
    first, second = sorted((list(one[head : len(one) - tail]), list(two[head : len(two) - tail])))
    return [*one[:head], *first, *second, *one[len(one) - tail :]], bool(old)


def _within(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether some lines stand among others in the same order, so that keeping the others keeps them all."""
    rest = iter(others)
    return all(line in rest for line in some)


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    shared = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        shared += 1
    return shared


MOST_CONFLICTS = 32  # named in a file; history has them all
_LONGEST_LOSER = 300  # characters of a value that is named under `conflicts`


def merged_or_gone(before: Document | None, ours: Document | None, theirs: Document | None) -> Document | None:
    """Merge a note that either side may have deleted; `None` if it is gone. An edit is stronger than a deletion."""
    if ours is None or theirs is None:
        left = ours or theirs
        return None if left == before else left
    return merged(before, ours, theirs)


def merged(before: Document | None, ours: Document, theirs: Document) -> Document:
    """The document that says what both say."""
    if ours == theirs or before == theirs:
        return ours
    if before == ours:
        return theirs
    early, late = sorted((ours, theirs), key=lambda each: (each.stamp, written(each)))
    told = merged_text(before.text if before else "", ours.text, theirs.text)
    fields, lost = _fields(_own(before).fields if before else None, _own(early), _own(late))
    fields["title"] = fields["title"] or stand_in_title(told.text)
    changed_by_both = sorted({name for name, _ in lost} | ({"text"} if told.clashed else set()))
    if changed_by_both:
        fields["review"] = f"It was changed in two places at once: {', '.join(changed_by_both)}."
        named = {*fields["conflicts"], *(f"{early.stamp} {name}: {_shown(value)}" for name, value in lost)}
        fields["conflicts"] = tuple(sorted(named)[-MOST_CONFLICTS:])
    result = replace(late, fields=fields, text=told.text, front=_front(before, early, late))
    if before is not None:  # whoever changed how lines end meant it
        newline = early.newline if late.newline == before.newline else late.newline
        result = replace(result, newline=newline, ends=early.ends if late.ends == before.ends else late.ends)
    result = in_order(result)
    if result in (ours, theirs):
        return result
    return in_order(replace(result, fields={**fields, "updated_at": _after(late.stamp)}))


def _own(document: Document) -> Document:
    """The document without a title that only stands in for none: it follows the text, and is nobody's edit."""
    if document.fields["title"] != stand_in_title(document.text):
        return document
    return replace(document, fields={**document.fields, "title": None})


def _fields(before: Fields | None, early: Document, late: Document) -> tuple[dict[str, Value], list[tuple[str, Value]]]:
    """Each field by its nature, and what the earlier side said where the later one was taken."""
    told, lost = _kind(before, early.fields, late.fields)
    for name, key in _BY_NATURE.items():
        old = None if before is None else before[name]
        one, two = early.fields[name], late.fields[name]
        if key.nature is Nature.LOWEST:
            least = lowest((authority_of(early.fields), authority_of(late.fields)))
            told[name] = None if least is authority_of({**told, name: None}) else least.value
        elif key.nature is Nature.FIXED and old is not None:
            told[name] = old
        elif one == two or (before is not None and one == old):
            told[name] = two
        elif before is not None and two == old:
            told[name] = one
        elif name in _ENDS and early.fields["state"] == late.fields["state"] == "superseded":
            told[name] = _both_changed(Nature.EARLIEST, old, one, two)  # both took over from it: the first ended it
        elif name == "review":
            told[name] = min(filter(None, (one, two)), default=None)
        elif name == "conflicts" or key.nature is Nature.SET:
            told[name] = _set(old or (), one, two)
        else:
            told[name] = _both_changed(key.nature, old, one, two)
            if key.nature in _BY_CLOCK and one != DEFAULTS[name]:
                lost.append((name, one))
    return told, lost


def _kind(before: Fields | None, early: Fields, late: Fields) -> tuple[dict[str, Value], list[tuple[str, Value]]]:
    """Merge `type` and `kind`, which say the same: both from the same side, or they would contradict each other."""
    one, two = ({name: side[name] for name in _KIND} for side in (early, late))
    old = None if before is None else {name: before[name] for name in _KIND}
    if one in (two, old):
        return two, []
    if two == old:
        return one, []
    return two, [("kind", one["kind"] or one["type"])]


_KIND = ("type", "kind")
_BY_NATURE = {name: key for name, key in KEYS.items() if name not in _KIND}
_ENDS = ("valid_until", "retired_at")
_BY_CLOCK = (Nature.TEXT, Nature.NUMBER, Nature.TRUTH, Nature.TIME)


def _both_changed(nature: Nature, old: Value, early: Value, late: Value) -> Value:
    match nature:
        case Nature.FIXED:
            return min(early, late)
        case Nature.EARLIEST:
            return min(filter(None, (early, late)), default=None, key=_moment)
        case Nature.LATEST:
            return max(filter(None, (early, late)), default=None, key=_moment)
        case Nature.OBJECT:
            return merged_object(old if isinstance(old, Mapping) else {}, early, late)
        case Nature.SET:
            return _set(old or (), early, late)
        case Nature.TEXT | Nature.NUMBER | Nature.TRUTH | Nature.TIME | Nature.LOWEST:
            return late
        case _:
            assert_never(nature)


def merged_object(old: Mapping[str, Any], early: Mapping[str, Any], late: Mapping[str, Any]) -> dict[str, Any]:
    """Objects key by key: lists as sets, counters by what each side added, everything else by the clock."""
    told: dict[str, Any] = {}
    for key in sorted({*early, *late}):
        before: Any = old.get(key)
        one: Any = early.get(key)
        two: Any = late.get(key)
        if one in (two, before):
            chosen = two
        elif two == before:
            chosen = one
        elif isinstance(one, Mapping) and isinstance(two, Mapping):
            chosen = merged_object(before if isinstance(before, Mapping) else {}, one, two)
        elif isinstance(one, list) and isinstance(two, list):
            chosen = _list(before if isinstance(before, list) else [], one, two)
        elif all(_counts(each) for each in (before, one, two)):
            chosen = one + two - before
        else:
            chosen = two if two is not None else one
        if chosen is not None:
            told[key] = chosen
    return told


def _counts(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _set(old: tuple[str, ...], one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    """Merge sets: members of both, and those that either side added; what either took away is gone."""
    return tuple(sorted((set(one) & set(two)) | (set(one) - set(old)) | (set(two) - set(old))))


def _list(old: list[Any], one: list[Any], two: list[Any]) -> list[Any]:
    """Lists as sets that keep an order: what came first stays first, what was added follows, sorted."""
    kept = [each for each in old if each in one and each in two]
    added = [each for each in (*one, *two) if each not in old]
    each_once = [each for place, each in enumerate(added) if each not in added[:place]]
    return kept + sorted(each_once, key=repr)


def _front(before: Document | None, early: Document, late: Document) -> tuple[Entry, ...]:
    """The lines of the later side, with what the earlier one wrote between the known keys."""
    base = before.front if before else ()
    old = {entry.key: entry.raw for entry in base if entry.key}
    theirs = {entry.key: entry for entry in early.front if entry.key and entry.key not in KEYS}
    told = []
    for entry in late.front:
        if entry.key and entry.key not in KEYS:
            other = theirs.pop(entry.key, None)
            if other is None and old.get(entry.key) == entry.raw:
                continue  # the other side took it away, and this one did not touch it
            told.append(other if other is not None and old.get(entry.key) == entry.raw else entry)
        else:
            told.append(entry)
    told += (entry for entry in theirs.values() if old.get(entry.key) != entry.raw)
    return (*told, *_new_remarks(early.front, known=(*base, *told)))


def _new_remarks(front: Sequence[Entry], known: Sequence[Entry]) -> list[Entry]:
    """The comments of one side that neither the common state nor the merged lines have."""
    there = {entry.raw for entry in known}
    return [entry for entry in front if not entry.key and entry.raw.strip() and entry.raw not in there]


def _moment(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)


def _after(stamp: str) -> str:
    """The instant after a stamp, which is when a merge happened: on every machine the same."""
    moment = _moment(stamp) if stamp else datetime.fromisoformat("1970-01-01T00:00:00+00:00")
    return (just_after(moment) if moment.year < 9999 else moment).isoformat()


def _shown(value: Value) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST_LOSER else text[: _LONGEST_LOSER - 1] + "…"
