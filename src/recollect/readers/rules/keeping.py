"""Where things are kept and where they come from: "we keep secrets in Vault", "our beans are from Kiez Roasters".

What is kept names the attribute, so that "secrets live in Vault", "we keep our secrets in Vault" and "we moved the
secrets to Doppler" meet under one: the secret store.
"""

from __future__ import annotations

from recollect.language import tags
from recollect.language.relations import RELATIONS
from recollect.readers.rules.clauses import Clause
from recollect.readers.rules.kinds import is_technology
from recollect.readers.rules.naming import singular
from recollect.readers.rules.phrases import Phrase
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.who import Who, project, user

_KEPT = 0.75
_KEEPING = frozenset("keep store save host put archive back hold manage file log".split())
_LIVING = frozenset("live be sit stay go end land reside belong".split())
_MOVING = frozenset("move migrate transfer shift export port copy".split())
_GETTING = frozenset("get buy order source purchase".split())
_TALK = frozenset(
    "box question thing idea word thought reason problem time day week month year result detail step".split()
)
_INTO = ("in", "on", "at", "to", "into", "with", "onto")


def read_keeping(clause: Clause, who: Who | None, scene: Scene) -> list[Finding]:
    """What a clause says about where several things of one sort are, or are from."""
    verb, subject = clause.verb, clause.subject
    if verb is None or (verb.modal and verb.modal != "will"):
        return []
    ours = who is not None and who.kind in ("user", "project")
    if ours and verb.lemma in _KEEPING | _MOVING and not verb.passive:
        return _found(clause.part(""), _place(clause), "store", clause, who, scene)
    if ours and verb.lemma in _GETTING and not verb.passive:
        return _found(clause.part(""), clause.part("from"), "source", clause, who, scene)
    if subject is None:
        return []
    living = _KEEPING | _MOVING if verb.passive else _LIVING | _MOVING
    found = _found(subject, _place(clause), "store", clause, None, scene) if verb.lemma in living else []
    if not found and verb.lemma in ("come", "be") and not verb.passive:
        found = _found(subject, clause.part("from"), "source", clause, None, scene)
    return found


def _found(
    what: Phrase | None, where: Phrase | None, role: str, clause: Clause, who: Who | None, scene: Scene
) -> list[Finding]:
    if what is None or where is None or not _several(what) or not _named(where, scene):
        return []
    plain = [word.low for word in what.core if not word.tag & tags.ADV]
    attribute = " ".join((*plain[:-1], singular(plain[-1]), role))
    mine = what.det == "my" or (who is not None and who.kind == "user" and not who.plural)
    owner = user(scene.company) if mine else project()
    old = clause.part("from") if role == "store" else None
    return [
        Finding(owner, attribute, said(where, scene.text), old=said(old, scene.text) if old else "", confidence=_KEPT)
    ]


def _several(phrase: Phrase) -> bool:
    """A plain plural of ours: "secrets", "my photos"; not people, and nothing that has a name."""
    head = phrase.head.low
    if (
        phrase.pronoun
        or any(word.tag & tags.NAME and not word.tag & tags.NOUN for word in phrase.words)
        or phrase.det not in ("", "my", "our", "the", "all")
        or len(phrase.words) > 3
    ):
        return False
    return singular(head) != head and singular(head) not in RELATIONS and singular(head) not in _TALK


def _place(clause: Clause) -> Phrase | None:
    return clause.part(*_INTO)


def _named(phrase: Phrase, scene: Scene) -> bool:
    if phrase.det not in ("", "the", "a", "an") or phrase.words[0].tag & (tags.NUM | tags.TIME):
        return False
    return bool(phrase.words[0].tag & (tags.NAME | tags.CODE)) or is_technology(said(phrase, scene.text))
