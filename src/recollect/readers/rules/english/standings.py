"""Words that say how a whole message stands to the truth, where no single fact could be read from it."""

from __future__ import annotations

# It is thought of, offered or wished for, and has not happened.
SUPPOSING = (
    r"\b(?:i wish|if only|what if|just an? (?:thought|idea)|tempting|tempted|parked (?:for|it|this|that|the)|dream(?:s|ing|t|ed)? of|"
    r"suggest(?:s|ed)|propos(?:es|ed)|pitched|recommend(?:s|ed)|not agreed|nothing (?:is )?(?:decided|fixed|"
    r"official)|undecided|no decision|(?:nobody|no one) (?:has )?decided|not convinced|not sold on|floated|came up (?:again|for|as)|"
    r"just musing|dunno|voted down|turned down|rumou?r has it|looks? (?:nice|cheap|fast|tempting|"
    r"promising)|maybe|perhaps|might|some ?day|one day|would (?:be|help|suit|make)|could (?:go|be|try|live|move|"
    r"switch)|should (?:try|maybe)|toying|considering|wondering (?:if|about|whether)|thinking (?:about|of)|on the "
    r"fence|curious about|says no|said no|no plans)\b"
)
# A condition whose consequence is only supposed. "If payments breaks, call Noor" is a standing rule.
CONDITIONAL = r"\bif\b.*\b(?:might|would|could|may|i'd|we'd)\b|\b(?:might|would|could|i'd|we'd)\b.*\bif\b"
# Signs without which nothing in a sentence is merely supposed, whatever its verbs look like.
IRREAL = r"\b(?:would|could|should|may|might|want|wish|hope|i'd|we'd)\b"

# Of whom something is told when one of these is its subject or its owner. Whom one goes to (a dentist, a landlord) is
# missing on purpose: who that is, is a fact about oneself.
OTHERS = (
    "sister brother mother father mum mom dad parents wife husband partner spouse girlfriend boyfriend fiancé "
    "fiancée son daughter kid kids child children toddler cousin cousins aunt uncle niece nephew grandmother "
    "grandfather grandma grandpa granny nan neighbour neighbor neighbours neighbors colleague colleagues coworker "
    "coworkers teammate teammates friend friends flatmate flatmates roommate roommates housemate housemates boss "
    "intern interns competitor competitors customer customers mate mates buddy buddies pal ex in-laws "
    "mother-in-law father-in-law brother-in-law sister-in-law student students apprentice trainee classmate "
    "classmates guest guests"
)
# Many people who are not "we": "the billing team", "half of the data team", "the seniors".
GROUPS = "team teams people folks guys crew department group squad division seniors juniors kids interns guild"
# What a group has, in whose name it is not the subject: "the team meeting".
OF_A_GROUP = "meeting meetings call calls sync syncs lead leads chat channel standup standups calendar lunch retro"

# A time that is long gone, when no year says so.
BACK_THEN = r"\b(?:ago|back in|back then|as a (?:kid|child|student|teenager)|when i was|used to)\b"
