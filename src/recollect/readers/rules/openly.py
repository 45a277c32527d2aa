"""Predicates in the open: "The Blue Door was created by Otto Brandt", "we compress assets with Zopfli".

Where no frame knows a verb, the verb itself names the attribute: of something that has a name, or of the project. A
value in the open must look like one: a name, a number, something between backticks, or "the sport of handball".
"""

from __future__ import annotations

from recollect.language import tags
from recollect.readers.rules.clauses import Clause, Part
from recollect.readers.rules.kinds import kind_of
from recollect.readers.rules.naming import attribute_in, singular
from recollect.readers.rules.phrases import Phrase
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.values import is_passing
from recollect.readers.rules.who import Who, project, thing

_OPEN = 0.7  # the attribute is only the verb: believed a little less
_WITH = frozenset(("with", "in", "on", "to", "using", "by", "via", "through", "from"))
_CHANGES = frozenset("move switch change migrate transfer shift convert rename".split())
_LINKING = frozenset(("be", "become"))
_EMPTY_VERBS = frozenset(
    "go come say tell ask think see look get make do have want need give put take know let help feel try keep talk "
    "write send read".split()
)


def read_openly(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """What a clause says of a named thing, or of what "we" do with a named tool."""
    verb = clause.verb
    if verb is None or verb.chain or verb.modal or clause.subject is None or clause.subject.words[0].tag & tags.THERE:
        return []
    if clause.subject.pronoun and clause.subject.low == "it":
        return []  # what was named last need not be what is meant
    if who is not None and who.kind == "user":
        return _tool_of_ours(clause, who, scene)
    if who is None and not _bare(clause.subject):
        return []
    for part in clause.parts:
        found = _predicate(clause, part, scene)
        if found is None:
            continue
        attribute, value, wording = found
        subject = who if who is not None and who.kind != "project" else _entity(clause.subject, scene)
        return (
            [Finding(subject, attribute, value, confidence=_OPEN, wording=wording)] if subject.kind != "project" else []
        )
    return []


def _predicate(clause: Clause, part: Part, scene: Scene) -> tuple[str, str, str] | None:
    verb, subject = clause.verb, clause.subject
    assert verb is not None and subject is not None
    kind, inner = _kind_and_value(part.phrase)
    if part.prep == "wh" or (verb.lemma in _CHANGES and part.prep in ("from", "to")):
        return None
    named = bool(inner.words and inner.words[0].tag & (tags.NAME | tags.NUM | tags.CODE)) or inner.named
    if not (named or kind) or inner.pronoun or is_passing(inner) or part.phrase.det in ("my", "your", "this", "that"):
        return None
    value = said(inner, scene.text)
    if part.prep in ("", "and"):
        if kind and verb.lemma not in _LINKING:
            return kind, value, ""
        return None
    if verb.passive and subject.det in ("my", "our") and part.prep in ("in", "at", "on", "to"):
        return None  # where something of ours happens to be
    if verb.passive:
        word = clause.words[verb.end - 1]
        name = f"{word.low if word.tag & tags.PART else verb.lemma} {part.prep}"
        return name, value, _wording(clause, inner, scene)
    if verb.lemma == "be":
        described = clause.part("")
        if (
            described is not None
            and clause.parts[0].phrase is described
            and len(described.words) <= 2
            and not described.named
            and (described.det not in ("a", "an", "the") or subject.named)
            and described.head.low != "one"
            and not described.words[0].tag & (tags.DET | tags.ADV)
            and not is_passing(described)
            and clause.parts[1:2] == (part,)
        ):
            return f"{described.low} {part.prep}", value, _wording(clause, inner, scene)
        return None
    if kind and subject.named and verb.lemma not in _EMPTY_VERBS:
        return f"{verb.lemma} {part.prep}", value, _wording(clause, inner, scene)
    return None


def _wording(clause: Clause, value: Phrase, scene: Scene) -> str:
    """The sentence as it was said, with places for who and what: "{who} was created by {value}"."""
    assert clause.verb is not None
    start = clause.words[clause.verb.start].start
    said_so = scene.text[start : value.start].replace("{", "(").replace("}", ")")
    return f"{{who}} {said_so.strip()} {{value}}"


def _kind_and_value(phrase: Phrase) -> tuple[str, Phrase]:
    """ "The sport of handball" is of the kind sport and has the value handball."""
    words = phrase.words
    if phrase.det == "the" and len(words) > 2 and words[1].low == "of" and words[0].low in _KIND_NOUNS:
        rest = words[2:]
        while len(rest) > 1 and rest[0].tag & tags.DET and not rest[0].tag & tags.NAME:
            rest = rest[1:]
        return singular(words[0].low), Phrase(rest)
    return "", phrase


_KIND_NOUNS = frozenset(
    "position language sport field religion city country continent genre type kind role state region team party "
    "discipline branch school style title rank class category level order league club band label industry sector "
    "area currency colour color".split()
)


def _bare(subject: Phrase) -> bool:
    """A lower-case name of something general: "jazz", "association football"."""
    return (
        not subject.det
        and not subject.pronoun
        and len(subject.words) <= 6
        and not subject.words[0].tag & (tags.WH | tags.PREP | tags.TIME)
    )


def _entity(subject: Phrase, scene: Scene) -> Who:
    words = [word for word in subject.words if not word.tag & tags.PUNCT]
    name = " ".join(word.low for word in words)
    return thing(name, said(subject, scene.text)) if name and not subject.det else project()


def _tool_of_ours(clause: Clause, who: Who, scene: Scene) -> list[Finding]:
    """ "We compress assets with Zopfli": what we do to what names the attribute, the tool is the value."""
    verb = clause.verb
    assert verb is not None
    if not who.plural or (verb.past and not verb.perfect) or verb.lemma in _EMPTY_VERBS or verb.negated:
        return []
    done = clause.part("")
    if done is None or done.pronoun or done.named or done.det in ("a", "an", "this", "that", "your"):
        return []
    tool = next(
        (part for part in clause.parts if part.prep in _WITH and part.phrase.named and part.phrase.det in ("", "the")),
        None,
    )
    if tool is None or tool.phrase.words[0].tag & tags.TIME:
        return []
    value = said(tool.phrase, scene.text)
    kind = kind_of(value)
    called = attribute_in(done.core)
    if kind is None and called is not None and called.known is not None:
        return [Finding(thing(called.thing), called.attribute, value, confidence=_OPEN)]
    attribute = kind or f"{verb.lemma} {singular(done.head.low)}"
    return [Finding(project(), attribute, value, confidence=_OPEN)]
