"""The functions with many ways through them, each with the reason why it is not cut. The list only grows shorter."""

from __future__ import annotations

WITH_REASON = {
    # One flat case for each member of a closed set: a table would lose its types.
    "stores/application.py: _carry_out": "one case for each edit; the type checker sees that none is missing",
    "surfaces/cli/screens/answers.py: lines_and_asides": "one case for each answer of a verb",
    "surfaces/cli/screens/rehearsal.py: _told": "one sentence for each edit",
    "surfaces/cli/screens/work.py: told_of_work": "one case for each answer about work",
    # A workflow that is read from top to bottom.
    "surfaces/cli/init.py: init": "show, ask, do, report: the one order in which agents are connected",
    "dialects/anda/anda_credentials.py: admit": "every reason to refuse a token stands together, to be read as one",
    "recall/gather.py: gather": "the ways of finding candidates, in two readings of the store",
    "recall/block.py: pack": "one budget of tokens is spent line by line",
    "recall/context.py: choose": "one budget of tokens is spent section by section",
    "recall/cited/draft.py: is_said_by": "each reason why records do not say a sentence",
    # Grammar: decisions at one word, in an order in which each leans on those before it.
    "readers/rules/verbs.py: find_verb": "each look at a word that may be the finite verb",
    "readers/rules/verbs.py: verb_group": "one walk over auxiliaries, negation and leading verbs",
    "readers/rules/verbs.py: _led": "each way in which a verb leads to another",
    "readers/rules/verbs.py: _begins_alone": "each sign that a first word is a verb and no noun",
    "readers/rules/words.py: _end_of": "one walk to the end of a phrase, word class by word class",
    "readers/rules/words.py: _is_noun_here": "each sign that a word that can be a verb is a noun",
    "readers/rules/clauses.py: _pieces": "one walk over the places where clauses can end",
    "readers/rules/clauses.py: _parts": "one walk over the phrases behind a verb",
    # Meaning: each condition refuses one sort of sentence that was misread, and names it.
    "readers/rules/reader.py: _read": "the readers of a sentence in their order, each only where the last was silent",
    "readers/rules/statements.py: mood_of": "the signs of one verb group, each a field of the mood",
    "readers/rules/statements.py: dates_of": "each way in which times bear on a clause",
    "readers/rules/statements.py: is_certain": "each reason to doubt whom a finding is about",
    "readers/rules/statements.py: is_sound": "each reason to doubt the words of a finding",
    "readers/rules/statements.py: told": "a finding and its mood become one statement, field by field",
    "readers/rules/frames.py: _match": "the subject and the slots of a frame share what was taken",
    "readers/rules/findings.py: _named_by_subject": "each reason why a subject names no attribute",
    "readers/rules/changes.py: _end": "each shape of an end that no frame knows",
    "readers/rules/changes.py: _offered": "each thing that a clause can end, with its owner",
    "readers/rules/values.py: _open_value": "one way of reading a value for each sort of attribute",
    "readers/rules/reader.py: _in_brackets": "each shape of an aside in brackets",
    "readers/rules/scene.py: who_is": "each sort of phrase, and whom it means",
}
