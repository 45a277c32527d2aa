"""The small words of English, by what they do, and the ways in which things end."""

from __future__ import annotations

DETERMINERS = "a an the this that these those some any no every each another both either neither all"
POSSESSIVES = "my our your his her its their whose"
SUBJECT_PRONOUNS = "i we you he she it they everyone everybody someone somebody nobody anyone anybody people"
OBJECT_PRONOUNS = (
    "me us him her them it you mine ours yours hers theirs myself ourselves himself herself itself themselves"
)
MODALS = "will would shall should can could may might must 'll 'd wo ca sha ought"
PREPOSITIONS = (
    "in at on to from with for by as of off into onto behind over near under through via about against between "
    "during without within across around per than upon toward towards past beside besides inside outside above "
    "below along among amid despite except like unlike plus versus beyond throughout alongside"
)
CONJUNCTIONS = "and but or nor so yet & plus"
SUBORDINATORS = (
    "because if unless although though while whereas whenever when once until till before after since whether as "
    "wherever lest provided bc cuz coz cos"
)
NEGATIONS = "not n't never hardly"
WH_WORDS = "who whom which what where why how that whose whichever whatever"
ADVERBS = (
    "also too now still just already finally currently recently always usually often sometimes never really very "
    "quite only even ever again soon later then here there today yesterday tomorrow tonight actually basically "
    "mostly mainly probably maybe perhaps possibly definitely certainly officially permanently temporarily "
    "originally previously formerly nowadays lately anyway instead almost nearly barely together alone away back "
    "home abroad well fully completely totally strictly purely solely primarily generally typically normally "
    "regularly please kindly honestly frankly luckily unfortunately sadly happily apparently obviously clearly "
    "however otherwise thus hence therefore meanwhile moreover furthermore exclusively entirely roughly "
    "approximately about literally directly immediately eventually gradually suddenly quickly slowly rarely seldom "
    "twice everywhere somewhere anywhere downstairs upstairs indeed rather pretty super so kinda sorta once "
    "anymore either yet long enough much up out down away off-hand"
)
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen half"
)
INTERJECTIONS = (
    "hi hello hey thanks thank yes no yeah yep nope ok okay oh ah wow well sorry please sure cool great right alright "
    "anyway cheers hmm haha lol hooray yay signed btw fyi ugh oops phew tbh imo imho innit"
)
BE_FORMS = "am is are was were be been being 'm 're ai"
HAVE_FORMS = "have has had having 've"
DO_FORMS = "do does did doing done"

# Contractions that are typed without their apostrophe, by their second part. Those that are words of their own ("were",
# "well", "its") are left as they are.
TYPED_CONTRACTIONS = {
    "not": "can",
    "n't": "do does did is are was were have has had could would should ca wo need must ai",
    "'m": "i",
    "'ve": "i we they you could would should",
    "'s": "she he that what there here where who",
    "'re": "they you",
    "'ll": "they you it that",
}

# Adjectives that tell how something seems just now: never the value of anything that lasts.
PASSING_ADJECTIVES = (
    "good great bad fine nice ok okay awesome amazing excellent perfect terrible awful horrible lovely "
    "wonderful fantastic brilliant beautiful ugly ready done finished broken fixed slow fast quick late early "
    "busy free full empty wrong right correct incorrect true false clear unclear easy hard difficult simple "
    "complex complicated possible impossible important interesting boring fun funny weird strange odd sure "
    "unsure certain uncertain happy sad tired exhausted sick ill hungry thirsty angry annoyed upset worried "
    "anxious nervous stressed excited curious confused lost stuck drained overwhelmed bored lonely scared "
    "afraid glad proud sorry grateful thankful aware unaware able unable available unavailable online offline "
    "open closed alive dead new old big small large little huge tiny long short high low cheap expensive hot "
    "cold warm cool wet dry dirty clean loud quiet silent strong weak heavy light dark bright better worse "
    "best worst more less enough fair unfair safe unsafe solid insane crazy mad silly stupid smart clever rude "
    "kind mean helpful useless useful valid invalid missing present absent similar different same identical "
    "equal unique common rare normal usual unusual special regular final initial complete incomplete partial "
    "total whole half active inactive pending blocked live fresh flat sore stiff sensitive swollen painful "
    "numb dizzy sleepy awake asleep drunk sober pregnant okay-ish decent horrific scary creepy adorable cute "
    "sweet sour bitter spicy delicious tasty gross disgusting keen confident comfortable uncomfortable "
    "convinced impressed disappointed surprised shocked amazed frustrated satisfied pleased content hopeful "
    "hopeless positive negative serious critical crucial essential necessary unnecessary optional relevant "
    "irrelevant appropriate suitable acceptable unacceptable reasonable sensible ridiculous absurd hilarious "
    "ironic obvious evident likely unlikely probable effective efficient inefficient reliable unreliable "
    "stable unstable robust brittle flaky buggy messy tidy neat sharp blurry vague precise accurate inaccurate "
    "exact rough smooth tight loose due overdue worth sold involved interested ongoing intact daily weekly "
    "monthly yearly nightly hourly quarterly legit on-track spot-on second-to-none "
)

# Words that end in a full stop without ending the sentence.
ABBREVIATIONS = (
    "dr mr mrs ms prof st inc ltd jr sr vs etc e.g i.e approx no vol fig dept est corp co u.s a.m p.m mt ave gen "
    "rev hon univ"
)

# Words in -ly that are no adverbs.
LY_NOUNS = (
    "family assembly supply reply italy july anomaly monopoly butterfly jelly belly bully ally rally lily holly "
    "gully folly doily tally trolley emily billy sally kelly molly"
)
LY_ADJECTIVES = (
    "early friendly lovely likely elderly ugly silly lively lonely costly deadly unfriendly cuddly bubbly curly"
)

# Words that stand for something else, or count it: alone they are nobody's possession, drink or place.
EMPTY_VALUES = (
    "it this that these those one ones another other others same the a an some any both few many more most less lot "
    "lots bit little much half all none nothing something anything everything someone somebody anyone anybody "
    "everyone everybody thing things stuff way ways kind sort first second third fourth fifth last next new old time "
    "times moment day days here there now then so yes no ok okay mine ours yours his hers theirs me us him her them"
)
MONTHS = "january february march april may june july august september october november december"
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"

ENDING = (
    r"\b(?:instead|t(?:ook|akes|aken) over|replac(?:es?|ed)|(?:good)?bye|for good|swapped|switched|migrated|dropped|dumped|"
    r"ditched|cancell?ed|stopped|quit|sold|no longer|any ?more|never again|g(?:a|i)ve[ns]? (?:up|back|away)|got rid of|had enough "
    r"of|handed in|returned|terminated|resigned|laid off|let go|unsubscribed|(?:is|was|are|were|has been|got) (?:gone|over|"
    r"closed|finished|history|switched off|shut down)|ran out|expired|lapsed|broke up|split up|no more|out of work|"
    r"left(?! (?:\S+ ){0,3}(?:alone|in place|untouched|enabled|as is)\b))\b"
)
# Of what somebody has none any more, by what it is called.
NONE_LEFT = (
    r"\b(?:have|'ve got|got) no (?P<one>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days|for now)\b)"
    r"|\b(?:don't|do not) have an? (?P<two>[a-z][\w' -]{2,30}?)(?= (?:now|any ?more|at the moment|right now|these days)\b)"
    r"|\bno (?:more )?(?P<three>[a-z][\w' -]{2,30}?)(?= for (?:me|us)\b| from now on\b)"
)
# How two people part.
PARTED = r"\b(?:broke up|split up|separated|divorced|left (?:me|him|her|them|us))\b"
# A thing's own parts: what holds of its errors holds of the checkout.
PARTS = (
    "error errors exception exceptions crash crashes log logs ticket tickets bug bugs team code change changes patch "
    "patches image images container containers package packages dependency dependencies flag flags build builds alert "
    "alerts metric metrics"
)
# Things named side by side that are compared, not exchanged.
BESIDE = r"\b(?:than|like|as well as|both|besides|alongside|between|versus|vs)\b"
# Without one of these, somebody in another town is only travelling.
AT_HOME = r"\b(?:home|live[ds]?|living|moved|relocated|address|flat|apartment|house|keys?|neighbou?r\w*|rent\w*)\b"
