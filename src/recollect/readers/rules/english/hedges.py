"""Words that take a sentence back: it may be so, it was only proposed, somebody said no."""

from __future__ import annotations

# In any part of a sentence: nothing in it is certain.
HEDGES = (
    r"\b(?:maybe|perhaps|possibly|potentially|hypothetically|theoretically|in theory|rumou?r has it|rumou?rs?|"
    r"allegedly|supposedly|just an idea|only an idea|nothing (?:is )?(?:decided|official|final|certain|fixed)|not "
    r"(?:official|decided|final|certain|set in stone)|nothing official|who knows|we'll see|would be nice|would be "
    r"great|would be cool|could be nice|what if|let's say|let us say|suppose|imagine|pretend|someone (?:suggested|"
    r"proposed|mentioned)|somebody (?:suggested|proposed|mentioned)|(?:was|were|got) (?:voted down|rejected|turned "
    r"down|vetoed)|voted down|parked for|(?:said|says|say) no\b|too expensive for|looks nice but|toying with|"
    r"playing with the (?:idea|thought)|wondering (?:if|whether|about)|not sure (?:if|whether)|undecided|haven't "
    r"decided|not convinced|under discussion|still discussing|in the shop window|have not decided|on the fence|"
    r"tempted to|might as well|at some point|sooner or later|in a perfect world|in an ideal world|if only|as if|in "
    r"my dreams|fingers crossed|recruiter|ads? for|window[- ]shopping|wish list|wishlist|bucket list|joking|just "
    r"kidding|kidding|thought experiment|for the sake of argument|for example|e\.g\.|such as when|so obviously)\b"
)
# Introduces a condition; what depends on it has not happened.
CONDITIONS = frozenset(
    ("if", "unless", "whether", "in case", "provided", "assuming", "suppose", "supposing", "lest", "as if")
)
# What the clause after such a verb is worth: "I wish I had a dog", "imagine we lived in Rome".
REPORTED = {
    **dict.fromkeys(("wish", "hope", "dream", "dream of", "pray", "want"), "wished"),
    **dict.fromkeys("doubt wonder suggest propose claim expect fear worry ask act consider have".split(), "supposed"),
}
# Verbs after which a clause is somebody's opinion, whoever has it.
OPINIONS = frozenset(
    "think believe say guess reckon assume feel suspect claim suppose imagine hope wish expect fear worry doubt bet "
    "pretend joke dream".split()
)
TIMES_TO_COME = frozenset(("when", "once", "whenever", "until", "till", "before", "after"))
IMAGINING = frozenset(("imagine", "suppose", "pretend", "assume", "let", "picture"))
# Said of what did not happen.
COUNTERFACTUAL = (
    r"\b(?:almost|nearly|as if|if only|let's say|let us say|what if|in another life|in my dreams|supposedly|for "
    r"example|e\.g\.|in a parallel universe)\b"
)
SUPPOSING_MODALS = frozenset(("might", "may", "could", "would", "should", "ought"))
# Said of what somebody feels for the moment.
HALF_HEARTED = frozenset(("kinda", "sorta", "almost", "nearly"))
# "I'm basically a plumber now": somebody is like one.
LIKENING = frozenset(("basically", "practically", "virtually", "literally"))

# A sentence without any of these words is not hedged; see `HEDGES`.
HEDGE_TRIGGERS = frozenset(
    "maybe perhaps possibly potentially hypothetically theoretically theory rumour rumor rumours rumors allegedly "
    "supposedly idea nothing not knows see nice great cool what say says said no suppose imagine pretend someone "
    "somebody voted rejected turned vetoed parked expensive looks toying playing wondering undecided haven't "
    "decided convinced discussion discussing shop fence tempted might point later world only if dreams crossed "
    "recruiter ad ads window window-shopping wish wishlist bucket joking kidding experiment sake example e.g such "
    "n't obviously".split()
)
