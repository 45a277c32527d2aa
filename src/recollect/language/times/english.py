"""English: its words for time, the patterns they stand in, and what hints at past or future.

Only data. The span of a phrase includes the preposition that belongs to it ("in March", "since 2019"), so that what
is left of a sentence without it still reads. Words that are mostly something else need company: "may" a day, a year
or a preposition, "Friday" an end of clause after it, a number of four digits a preposition, a month or a noun it
describes ("my 2018 job"). How "next Friday" is read is in `dates.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from recollect.domain.periods import TimeRelation
from recollect.language.english import closed_words
from recollect.language.times.grammar import Language, Rule

_SINCE = TimeRelation.SINCE
_UNTIL = TimeRelation.UNTIL
_BEFORE = TimeRelation.BEFORE
_AFTER = TimeRelation.AFTER


def _set(words: str) -> dict[str, str]:
    return {word: word for word in words.split()}


def _numbered(words: str, first: int = 1) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split(), first)}


_ONES = _numbered("one two three four five six seven eight nine")
_TEENS = _numbered("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
_TENS = {word: 10 * n for word, n in _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
_ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
) | {"thirtieth": 30}
_MONTHS = _numbered(closed_words.MONTHS)
_SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7,
    "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_WEEKDAYS = _numbered(closed_words.WEEKDAYS, 0)
_SHORT_WEEKDAYS = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_LONG_UNITS = _set("weekend week fortnight month quarter year decade")
_SHORT_UNITS = _set("minute hour night day") | {"min": "minute", "hr": "hour"}
_MANY_UNITS = {f"{word}s": unit for word, unit in (_LONG_UNITS | _SHORT_UNITS).items()}

_MOVING = _set(  # "moved from Friday to Tuesday" is no stretch of time
    "moved moves move changed changes change switched switches switch rescheduled shifted pushed postponed "
    "bumped delayed went converted upgraded migrated updated extended brought corrected"
)
_DROPPING = _set("stop stops stopped drop drops dropped swing swung come comes came go goes went pass passes passed")

CLASSES: Mapping[str, Mapping[str, object]] = {
    "number": _ONES | _TEENS | _TENS | {"hundred": 100},
    "ones": _ONES,
    "tens": _TENS,
    "a": {"a": 1, "an": 1},
    "ordinal": _ORDINALS,
    "month": _MONTHS | _SHORT_MONTHS,
    "likename": _set("april may june august jan"),
    "weekday": _WEEKDAYS | _SHORT_WEEKDAYS,
    "fullday": _WEEKDAYS,
    "weekdays": {f"{word}s": number for word, number in _WEEKDAYS.items()},
    "season": {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12},
    "part": {
        "morning": "morning",
        "afternoon": "afternoon",
        "arvo": "afternoon",
        "evening": "evening",
        "night": "night",
    },
    "parts": _set("mornings afternoons evenings nights arvos"),
    "span": _LONG_UNITS,
    "bit": _SHORT_UNITS,
    "spans": _MANY_UNITS,
    "nearday": {"yesterday": -1, "today": 0, "tomorrow": 1, "tmrw": 1},
    "step": {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1},
    "coming": _set("coming upcoming"),
    "roll": {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "upcoming": 1},
    "sooner": {"earlier": -1, "later": 1},
    "side": {"before": -1, "after": 1},
    "portion": {"early": "early", "mid": "mid", "late": "late"},
    "brink": {"beginning": "beginning", "start": "beginning", "middle": "mid", "end": "end"},
    "shortdecade": {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990},
    "ampm": {"am": 0, "a.m": 0, "pm": 720, "p.m": 720},
    "noon": _set("noon"),
    "roughly": _set(
        "about around roughly approximately approx almost nearly over under some like maybe probably exactly "
        "just only circa ~"
    ),
    "since": _set("since"),
    "starting": _set("starting beginning effective"),
    "until": _set("until till til through thru"),
    "dash": _set("- – —"),
    "owner": _set("my your his her our their its whose the"),
    "determiner": _set("the my our his her their your"),
    "habit": _set("every each per any usual usually weekly alternate other"),
    "often": _set("times time twice once thrice"),
    "mover": _MOVING,
    "dropping": _DROPPING,
    "edge": _set(
        "and or but so because then when while if with without at in on for to i we he she it they you me us my our "
        "his her their the a an was is are were will would be been has have had did do does can could should that "
        "this which who where what how why as by from until till since about after before during not no just please "
        "too also again already instead onward onwards works due than there 's"
    ),
    # What hints at the future, the past, or at something that goes on.
    "ahead": _set(
        "will shall gonna plan plans planning planned upcoming coming deadline schedule scheduled booked booking "
        "reserve reserved reservation remind reminder lets soon tomorrow next future starting starts begins arrive "
        "arrives leave leaves launches opens expire expires ends renews might would could should 'll"
    ),
    "behind": _set(
        "was were wasn weren did didn had hadn been haven hasn previously formerly went got came saw took made met "
        "left began bought found gave told said thought knew felt kept ran won lost built wrote spent sent sold paid "
        "taught caught brought broke chose drove ate fell flew grew heard held led quit rode rose sang sat shot slept "
        "spoke stood swam tore woke wore became gone done seen understood dealt hit put gotten born drank threw drew "
        "used 've"
    ),
    "wanting": _set(
        "going want wants need needs have has hope hopes hoping intend about supposed expect expected ready like love"
    ),
    "being": _set("am is are 'm 're 's"),
    "copula": _set("is are 's"),
    "ed": {word: word for word in _MOVING | _DROPPING if word.endswith("ed")},
    "ing": _set("going coming starting planning beginning"),
    "having": _set("have has haven hasn 've 's"),
    "participle": _set("known had kept run done gone made taken led held taught planned scheduled booked used"),
    "breaking": _set("was were will had 'll"),
    "between": _set(
        "i you we he she they it not still also now already finally probably definitely always only never just "
        "recently 't"
    ),
    "stop": _set(". ! ? ;") | {"\n\n": True},
    # Listed so that their endings are not taken for what they are not.
    "plural": _set("people percent million billion"),
    "other": _set(
        "its his hers ours yours theirs always perhaps things towards besides does goes thus need feed speed "
        "indeed hundred shed seed weed breed embed excited interested tired worried pumped stoked thrilled "
        "related based allowed naked sacred wicked exceed proceed succeed bleed greed agreed morning evening "
        "thing something anything nothing everything during king ring string bring"
    ),
}

# Not capitalised, these are mostly other words.
WEAK: Mapping[str, Mapping[str, object]] = {
    "may": {"weakmonth": 5},
    "march": {"weakmonth": 3},
    "mar": {"weakmonth": 3},
    "jan": {"weakmonth": 1},
    "dec": {"weakmonth": 12},
    "sep": {"weakmonth": 9},
    "mon": {"word": True},
    "wed": {"word": True},
    "sat": {"word": True},
    "sun": {"word": True},
}

_UNIT = "unit:span|bit|spans"


def _dated(pattern: str, means: str) -> tuple[Rule, ...]:
    """With a year, or without. The comma belongs to the year."""
    return (Rule(f"{pattern} ','|'of'? year", means), Rule(pattern, means))


def _each(pattern: str, things: str, means: str, value: object = None) -> tuple[Rule, ...]:
    """One rule for each kind of thing that can stand in a place."""
    return tuple(Rule(pattern.format(thing), means, value) for thing in things.split())


PHRASES: Mapping[str, tuple[Rule, ...]] = {
    # --- how many ---
    "COUNT": (
        Rule("number"),
        Rule("tens '-'? ones"),
        Rule("a"),
        Rule("a? 'couple' 'of'? 'more'?", value=(2, 2)),
        Rule("a? 'few' 'more'?", value=(2, 4)),
        Rule("'several'", value=(3, 7)),
        Rule("a? 'dozen'", value=(12, 12)),
        Rule("'half' a", value=(0.5, 0.5)),
        Rule("a 'half'", value=(0.5, 0.5)),
        Rule("number 'and' a 'half'", value=(0.5, 0.5)),
        Rule("low:number|a '-'|'–'|'to'|'or' high:number"),
        Rule("pair"),
    ),
    "AMOUNT": (
        Rule("COUNT"),
        Rule("roughly roughly? COUNT"),
        Rule("'more'|'less' 'than' COUNT"),
        Rule("'at' 'least' COUNT"),
    ),
    "DOM": (Rule("dom"), Rule("nth"), Rule("ordinal"), Rule("tens '-'? ordinal")),
    "DOM2": (Rule("dom"), Rule("nth")),
    "CLOCK": (Rule("clock ampm?"), Rule("dom ampm"), Rule("noon")),
    # --- dates that stand by themselves ---
    "HOLIDAY": (
        Rule("'christmas' 'eve'", value=(12, 24)),
        Rule("'christmas' 'day'?", value=(12, 25)),
        Rule("'xmas'", value=(12, 25)),
        Rule("'new' 'year'|'years' ''s'? 'eve'", value=(12, 31)),
        Rule("'new' 'year'|'years' ''s'? 'day'", value=(1, 1)),
        Rule("'halloween'", value=(10, 31)),
        Rule("'valentine'|'valentines' ''s'? 'day'", value=(2, 14)),
    ),
    "DAYDATE": (
        Rule("iso", "iso_date"),
        Rule("iso '(' weekday ')'", "iso_date"),
        Rule("slash", "slash_date"),
        Rule("'the'? DOM 'of'? month '.'? ','? year", "day_and_month"),
        Rule("'the'? DOM 'of'? month:weakmonth ','? year", "day_and_month"),
        Rule("dom month", "day_and_month"),
        Rule("'the'? nth 'of'? month:month|weakmonth", "day_and_month"),
        Rule("'the'? DOM 'of' month", "day_and_month"),
        Rule("dom month:weakmonth =edge", "day_and_month"),
        Rule("month '.'? dom|nth ','? year", "day_and_month"),
        Rule("month '.'? 'the'? dom|nth !plural", "day_and_month"),
        Rule("month:weakmonth dom|nth ','? year", "day_and_month"),
        Rule("month:weakmonth 'the'? nth", "day_and_month"),
        Rule("month:weakmonth dom =edge", "day_and_month"),
        Rule("month 'the' ordinal", "day_and_month"),
    ),
    "DATE": (
        Rule("stamp", "stamp"),
        Rule("DAYDATE"),
        *_dated("weekday ','? dom 'of'? month", "day_and_month"),
        *_dated("weekday ','? 'the'? nth 'of'? month", "day_and_month"),
        *_dated("weekday ','? month '.'? dom|nth", "day_and_month"),
        Rule("weekday ','? DAYDATE"),
        Rule("weekday '(' DAYDATE ')'"),
        Rule("<!owner step weekday ','? DAYDATE"),
        Rule("nearday ','? weekday? ','? DAYDATE"),
        Rule("weekday ','? 'the' nth", "day_of_month"),
        Rule("'the'? DOM 'of' STEPPED", "day_in_month"),
        Rule("isomonth", "iso_month"),
        Rule("<!dom|nth month '.'? ','|'of'? year", "month_of_year"),
        Rule("month '-' year", "month_of_year"),
        Rule("month:weakmonth ','|'of'? year", "month_of_year"),
        Rule("'the'? season ','|'of'? year", "season"),
        Rule("year season", "season"),
        Rule("quarter ','|'of'? year", "quarter"),
        Rule("year quarter", "quarter"),
        Rule("datedquarter", "dated_quarter"),
        Rule("half ','|'of'? year", "half_year"),
        Rule("decade", "decade"),
        Rule("'the' decade:shortdecade|decade", "decade"),
        Rule("HOLIDAY ','|'of'? year", "holiday"),
    ),
    # --- seen from today ---
    "STEPPED": (
        *_each("<!owner step {} !'of'", "unit:span weekday month HOLIDAY", "stepped"),
        Rule("<!owner step !capital season", "stepped"),
        Rule("<!owner step season !name", "stepped"),
        Rule("'the' 'current' unit:span", "stepped", 0),
        Rule("'the' 'last' unit:'weekend'", "stepped", -1),
        *_each("'the'|'this'? coming {} !'of'", "unit:span weekday", "coming"),
        *_each("'this' 'past' {} !'of'", "unit:span weekday month season HOLIDAY", "just_past"),
        Rule("'the' 'past' unit:'weekend'", "just_past"),
        *_each("'the'? {} 'before' 'last'", "unit:span weekday month season", "stepped", -2),
        *_each("'the'? {} 'after' 'next'", "unit:span weekday month season", "stepped", 2),
    ),
    "AGO": (
        Rule(f"AMOUNT {_UNIT} 'ago'", "ago"),
        Rule(f"AMOUNT {_UNIT} 'back' =edge !'to'|'in'|'at'|'from'|'on'", "ago"),
        Rule(f"AMOUNT {_UNIT} 'and' a 'half' 'ago'", "ago", 0.5),
        Rule(f"AMOUNT {_UNIT} 'or' more:number 'ago'", "ago"),
        Rule(f"AMOUNT {_UNIT} 'or' 'so' 'ago'", "ago"),
        Rule(f"AMOUNT {_UNIT} 'ago' 'today'", "ago_to_the_day"),
        Rule("AMOUNT weekdays 'ago'", "weekdays_ago"),
    ),
    "REL": (
        Rule("nearday", "near_day"),
        Rule("nearday ','? weekday =edge", "near_day"),
        Rule("nearday '(' weekday ')'", "near_day"),
        Rule("'tonight'", "near_night", 0),
        Rule("portion? 'last' 'night'", "near_night", -1),
        Rule("portion? 'this' part", "part_of_today"),
        Rule("portion? 'last' 'evening'", "near_night", -1),
        Rule("STEPPED"),
        Rule("AGO"),
        Rule("weekday part? 'of'? step 'week'", "day_of_stepped_week"),
        Rule("<!owner step 'week' ','? 'on'? weekday part? =edge", "day_of_stepped_week"),
        Rule("sooner 'on'? 'this' unit:span", "rest"),
        Rule("sooner 'on'? nearday:'today'", "rest"),
        Rule(f"AMOUNT {_UNIT} 'from' 'now'|'today'", "ahead"),
    ),
    "PAST": (
        Rule(f"'the'|'these'|'this'? !'next'|coming roll AMOUNT {_UNIT} !'of'", "rolling"),
        Rule("'the' !'next'|coming|'previous' roll unit:span !'of'", "rolling"),
    ),
    "AHEAD": (Rule(f"'the'|'these'|'this'? ='next'|coming roll AMOUNT {_UNIT}", "rolling"),),
    # --- what needs a preposition before it ---
    "YEAR": (Rule("year !plural|'%'", "year"), Rule("year:shortyear", "year")),
    "SUREYEAR": (Rule("year:year|shortyear =edge|name", "year"),),
    "MONTH": (Rule("!likename month", "month_of_year"), Rule("=likename month !name", "month_of_year")),
    "BAREDAY": (
        Rule("weekday !parts", "weekday"),
        Rule("HOLIDAY", "holiday"),
        Rule("'the' nth =edge !'of'", "day_of_month"),
        Rule("'the' 'weekend'", "bare_weekend"),
    ),
    "BARE": (
        Rule("MONTH"),
        Rule("BAREDAY"),
        Rule("'the'? season =edge", "season"),
        Rule("quarter", "quarter"),
    ),
    # --- parts, and times beside other times ---
    "CONTAINER": (
        *_dated("month", "month_of_year"),
        *_dated("month:weakmonth", "month_of_year"),
        Rule("'the' 'month' 'of' MONTH"),
        Rule("'the'? 'year'? YEAR"),
        *_dated("'the'? season", "season"),
        Rule("'the'? decade", "decade"),
        Rule("'the' decade:shortdecade", "decade"),
        *_dated("quarter", "quarter"),
        Rule("STEPPED"),
        Rule("'the' unit:span !'of'", "stepped", 0),
    ),
    "SHORTDECADE": (Rule("decade:shortdecade", "decade"),),
    "PORTION": (
        Rule("portion '-'|'in'? CONTAINER", "portion"),
        Rule("'the' portion '-'? CONTAINER", "portion"),
        Rule("'the' portion '-'? CONTAINER:SHORTDECADE", "portion"),
        Rule("'the'? portion:brink 'of' CONTAINER", "portion"),
        *_each("'the'? DOM {} 'of' CONTAINER", "unit:span|bit weekday halved:'half'", "nth"),
        *_each("'the'? last:'last' {} 'of' CONTAINER", "unit:span|bit weekday", "nth"),
    ),
    "POINT": (Rule("DATE"), Rule("REL"), Rule("BARE"), Rule("YEAR")),
    "BESIDE": (
        *_each("'the'? {} side POINT", "unit:span|bit weekday month season", "beside"),
        Rule(f"AMOUNT {_UNIT} side POINT", "counted_from"),
        Rule(f"'in'? AMOUNT {_UNIT} exact:'from' POINT", "counted_from"),
        Rule("'the'? unit:'week'|'weekend' 'of' 'the'? POINT", "around_day"),
    ),
    "WHEN": (Rule("DATE"), Rule("REL"), Rule("PORTION"), Rule("BESIDE"), Rule("BARE")),
    "MOMENT": (
        Rule("WHEN part? ','? 'at'|'around'|'@'? CLOCK", "clocked"),
        Rule("'at'? CLOCK part? ','? 'on'|'of'? WHEN", "clocked"),
        Rule("WHEN part !name", "parted"),
        Rule("'the'? part 'of' WHEN", "parted"),
    ),
    "FIRM": (Rule("WHEN"), Rule("MOMENT"), Rule("SUREYEAR")),
    "ANY": (Rule("WHEN"), Rule("MOMENT"), Rule("YEAR")),
    "INSIDE": (
        Rule("DATE"),
        Rule("PORTION"),
        Rule("month", "month_of_year"),
        Rule("YEAR"),
        Rule("quarter", "quarter"),
    ),
    "ON": (Rule("DATE"), Rule("PORTION"), Rule("BESIDE"), Rule("BAREDAY"), Rule("MOMENT")),
    "CALENDAR": (Rule("DATE"), Rule("MONTH")),
    "RANGE": (
        Rule("'between' start:ANY 'and' end:ANY", "between"),
        Rule("<!mover 'from' start:ANY 'to'|until|dash end:ANY", "between"),
        Rule("start:CALENDAR dash|'to'|until end:CALENDAR", "between"),
        Rule("start:MONTH 'and'|'&' end:CALENDAR", "between"),
        *_dated("month '.'? DOM dash|'to'|'and' DOM2", "days_of_month"),
        *_dated("'from'|'between'? 'the'? DOM dash|'to'|'and' 'the'? DOM2 'of'? month", "days_of_month"),
        *_dated("month '.'? pair", "days_of_month"),
        *_dated("pair 'of'? month", "days_of_month"),
        Rule("'from'|'between'|'in'|'during' yearpair", "year_pair"),
        Rule("<='('|',' yearpair", "year_pair"),
        Rule("<='(' start:YEAR dash|'to' end:YEAR", "between"),
    ),
    # --- hints in the rest of the sentence ---
    "CUE": (
        Rule("ahead", value="future"),
        Rule("behind|ed", value="past"),
        Rule("'won'|'can' ''t' 'wait'?", value="future"),
        Rule("'cant' 'wait'", value="future"),
        Rule("'let' ''s'", value="future"),
        Rule("wanting 'to'", value="future"),
        Rule("'have'|'has' a|'my'|'our'|'the'", value="future"),
        Rule("''ve' 'got' a|'to'|'my'|'our'|'the'", value="future"),
        Rule("'looking' 'forward'", value="future"),
        Rule("'see' 'you'", value="future"),
        Rule("'due' !'to'", value="future"),
        Rule("'may' 'be'|'have'|'not'|word", value="future"),
        Rule("being between? between? ing", value="future"),
        Rule("'used' 'to'", value="past"),
    ),
    "LASTING": (
        Rule("<!'had' 'been'", value=True),
        Rule("having !'to' between? between? between? participle|ed", value=True),
        Rule("breaking", value=False),
    ),
    # --- what is passed over, and what is looked for ---
    "NOT": (
        Rule("fullday ','|'and'|'or'|'&'|'/'|dash|'to'|until ','|'and'|'or'? fullday"),
        Rule("fullday ','|'/' fullday ','|'and'|'or'|'&'|'/' 'and'|'or'? fullday"),
        Rule("'black'|'good'|'casual'|'ash'|'fat'|'super' fullday"),
        Rule("=capital season !year name"),
        Rule("'end' 'of' 'the' 'day'"),
    ),
    "TOP": (
        Rule("DATE"),
        Rule("REL"),
        Rule("PORTION"),
        Rule("BESIDE"),
        Rule("<!a MOMENT"),
        Rule("RANGE"),
        Rule("PAST"),
        Rule("AHEAD"),
        Rule("<!name|a|dash|owner|'*'|'#'|'\"' weekday:fullday =edge !dash|':'|'*'", "weekday"),
        Rule("<=determiner year =word", "year_before_noun"),
        Rule("<=',' year =','", "year_before_noun"),
        Rule("'back'? 'in' roughly? INSIDE"),
        Rule("'back'? 'in' month:weakmonth", "month_of_year"),
        Rule("'in' 'the' 'year' 'of'? YEAR"),
        Rule("'in' 'the' 'month' 'of' CONTAINER"),
        Rule("'in'|'during' RANGE"),
        Rule("'in' 'the' season =edge|word", "season", needs="a hint"),
        Rule("'in' !capital season =edge|word", "season", needs="a hint"),
        Rule("'over'|'during'|'throughout' 'the'? season =edge", "season"),
        Rule("'in'|'within'|'over'|'during'|'throughout' PAST|AHEAD"),
        Rule("'in'|'within'|'over' 'the' !'next'|coming|'previous' roll unit:span|bit !'of'", "rolling"),
        Rule("'in'|'within'|'over'|'during'|'for' 'the' ='next'|coming roll unit:span !'of'", "rolling"),
        Rule("'on' ON"),
        Rule("'during'|'throughout' ANY"),
        Rule("'over'|'at'|'around'|'for' HOLIDAY", "holiday"),
        Rule("'over'|'at' 'the' 'weekend'", "bare_weekend"),
        Rule("'for' 'the' 'weekend'", "bare_weekend", default="future"),
        Rule("'for' 'the' season =edge", "season", default="future"),
        Rule("'at'|'around' PORTION"),
        Rule("'around' FIRM"),
        Rule("'of' SUREYEAR"),
        Rule("'for' MONTH !dom|nth|pair", default="future"),
        Rule("<!often 'in' AMOUNT unit:spans !'of' ''s'|'''? 'time'?", "ahead_of_now", needs="not past"),
        Rule("<!often 'in' AMOUNT one:span|bit !'of' ''s'? 'time'?", "ahead_of_now", needs="not past"),
        Rule(f"'within' AMOUNT {_UNIT} !'of'", "within", needs="not past"),
        Rule(f"'for' AMOUNT {_UNIT} !'ago'", "ongoing", relation=_SINCE, needs="still going on"),
        Rule(f"'for' AMOUNT {_UNIT} 'now'", "ongoing", relation=_SINCE),
        Rule(f"'for' 'the'|'these'? 'past'|'last'|'previous' AMOUNT {_UNIT}", "ongoing", relation=_SINCE),
        Rule("'for' 'the' 'past'|'last' unit:span !'of'", "ongoing", relation=_SINCE),
        Rule("'for' AHEAD"),
        Rule(f"since AMOUNT {_UNIT} !'ago'|side", "ongoing", relation=_SINCE),
        Rule("'ever'? since 'back'? 'in'|'on'|'around'|'about'|'the'? ANY !'is'|'was'", relation=_SINCE, lean="past"),
        Rule("'ever'? since 'back'? 'in'? month:month|weakmonth", "month_of_year", relation=_SINCE, lean="past"),
        Rule("starting 'on'|'in'|'from'|'at'|'with'? ANY", relation=_SINCE, default="future"),
        Rule("'as' 'of'|'from' ANY", relation=_SINCE),
        Rule("<!mover 'from' ANY 'on'|'onward'|'onwards'|'forward'", relation=_SINCE, default="future"),
        Rule("<!mover 'from' FIRM", if_ahead=_SINCE),
        Rule("'from' start:ANY 'to'|until 'now'|'today'|'present'|'date'", "start_only", relation=_SINCE),
        Rule("'from' start:ANY 'to'|until 'the' 'present'", "start_only", relation=_SINCE),
        Rule("'up'? until 'the'? 'end' 'of' CONTAINER", "end_of", relation=_UNTIL, default="future"),
        Rule("'by'|'before' 'the'? 'end' 'of' CONTAINER", "end_of", relation=_BEFORE, default="future"),
        Rule("'up'? until 'about'|'around'? ANY", relation=_UNTIL, default="future"),
        Rule("'up' 'to' ANY", relation=_UNTIL, default="future"),
        Rule("until month:month|weakmonth", "month_of_year", relation=_UNTIL, default="future"),
        Rule("<!dropping 'by' 'around'|'about'? FIRM", relation=_BEFORE, default="future"),
        Rule("'before' ANY", relation=_BEFORE),
        Rule("'prior' 'to' ANY", relation=_BEFORE),
        Rule("'after' ANY", relation=_AFTER),
    ),
    "ALONE": (
        Rule("ANY"),
        Rule("month:weakmonth", "month_of_year"),
        Rule("season", "season"),
        Rule("'in' season", "season"),
    ),
}


def _triggers(classes: Iterable[str], words: str) -> frozenset[str]:
    found = {word for name in classes for word in CLASSES[name]}
    return frozenset(found | set(words.split())) - {"second"}


TRIGGERS = _triggers(
    ("month", "weekday", "season", "part", "span", "bit", "spans", "nearday", "shortdecade", "weekdays"),
    "tonight christmas xmas halloween valentine valentines ago",
)

ENGLISH = Language(
    name="English",
    classes=CLASSES,
    phrases=PHRASES,
    triggers=TRIGGERS,
    endings=(
        ("ed", re.compile(r"\w{3,}ed")),
        ("ing", re.compile(r"\w{2,}ing")),
        ("plural", re.compile(r"\w{2,}[^su\W]s")),
    ),
    weak=WEAK,
    never_after="habit",
)
