"""Every constant that can change an answer of `search` or `recall`, on one page, as one frozen value.

A search is handed its weights with its sources, so that another value gives another ranking beside this one:
`python -m bench.ablation` takes each part away in turn and shows what it was worth. Only `QuestionLimits`,
`SpellingLimits` and `BlockLimits` are read from `WEIGHTS` when their modules are loaded.

Signs are from 0 to 1 and added, the four shares of what is matched make 1, and everything else is measured beside that.
They were fitted on half of the development conversations of four sets together (talks of two people, curated notes,
long chats with an assistant, records of a phone), hold on the other half within a point, and are rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from recollect.domain.dataclass import dataclass, field
from recollect.domain.observations import Standing


@dataclass(frozen=True, slots=True)
class QuestionLimits:
    """How a question is taken apart."""

    attributes: int = 3  # that one question is taken to ask for
    phrase: int = 4  # words of a phrase that asks for one: "do for a living"
    understood: int = 1_000  # characters at each end; a question is shorter, the rest of a page is only searched for
    compared: int = 32  # words at each end that a model reads, which takes a millisecond for each
    short: int = 16  # words; a longer one does not ask how something stands
    telling: int = 4  # words that a sentence needs to tell something; "Great, thanks." does not
    of_a_name: float = 0.5  # share of its words that names somebody
    stands: float = 0.2  # how likely it asks how things stand, by a model
    of_kind: float = 0.5  # how likely it wants one kind of answer
    unanswerable: float = 0.7  # how likely it is a task, or talk
    several: float = 0.75  # how likely it asks for several values; then none steps back for a newer one
    perhaps_several: float = 0.5  # the same, for them to be put in order as several


@dataclass(frozen=True, slots=True)
class SpellingLimits:
    """Which words a word that is found nowhere may stand for."""

    shortest: int = 4  # letters; shorter words have too many neighbours
    long: int = 8  # letters from which two slips are forgiven, and not only one
    most: int = 3  # words that one word is taken for
    kept: int = 3  # letters at the beginning that are taken to be right
    texts: int = 60  # notes, and messages, whose words are looked at


@dataclass(frozen=True, slots=True)
class Breadth:
    """How much each channel gathers, at least: with twice as many hardly anything else was answered."""

    notes: int = 30  # by words
    observations: int = 25
    near: int = 35  # by meaning
    in_a_session: int = 1_000  # things said, if one is named; of a longer one also those with words of the question
    wordings: int = 2  # that a record has had; each of them may be one of the nearest
    most_wordings: int = 20
    looked_around: int = 12  # things said whose neighbours are looked at, the best of each channel in turn
    by_attribute: int = 60
    meant: int = 3  # attributes that are gathered though they are not named
    surely: float = 0.35  # and how surely they must be meant
    few_words: int = 8  # of a longer question the other words find enough, without a second round for slips
    asks_for_all: int = 4  # words: a question of more is narrower than an attribute, unless it is in the plural
    followed: int = 60  # notes that no longer hold whose chain is followed, best first
    people: int = 20  # who may be called "my sister"
    short: int = 320  # characters: a longer message says more than the notes that were read from it
    aside: int = 60  # characters beside what was read: a greeting, a correction, an afterthought
    more: int = 15  # characters that a quote may have beyond its note: small words


@dataclass(frozen=True, slots=True)
class MatchWeights:
    """How words and meaning of a candidate, and of what stands around it, are matched."""

    k1: float = 1.2  # BM25: how soon a repeated word stops counting
    b: float = 0.75  # BM25: how much a long text is held against it
    most_of_it: float = 0.7  # of the weight of all asked words: less is no whole match, even if it is the best
    reach: int = 2  # turns before and after; a third one brought more noise than sense
    window: int = 180  # words: about five turns of a chat, and no more than one message of several paragraphs
    fades: float = 0.6  # what a neighbour counts for in meaning, for each step away
    full_length: int = 60  # words: a few sentences; more tell no more
    earlier: timedelta = timedelta(days=1)  # before the time asked about, when plans for it are made
    later: timedelta = timedelta(days=7)  # after it, when it is told of
    time_fades: float = 14.0  # days: how fast the nearness to the time asked about fades
    lately: float = 30.0  # days: half-life of what is going on


@dataclass(frozen=True, slots=True)
class SignWeights:
    """The worth of each sign. Above a tenth are answers to something that was asked outright."""

    # Words and meaning find different things and weigh alike; alone, a turn of a talk lacks its context in words,
    # while its neighbours' meaning mostly repeats its own.
    words: float = 0.13
    words_around: float = 0.37
    meaning: float = 0.37
    meaning_around: float = 0.13

    in_time: float = 0.5  # from the time that the question names, the strongest thing it can say
    standing: float = 0.6  # a rule or preference, when something is to be done: it has few words of the task
    answers: float = 0.27  # follows a question that is like this one
    fits: float = 0.2  # has a time when it is asked when
    tells: float = 0.18  # length of what was said, up to a few sentences: "Wow, thanks!" answers nothing
    speaker: float = 0.14  # said by, or about, whoever is named; soft, since a question may name the wrong one
    of_oneself: float = 0.09  # and the speaker speaks of themselves
    recent: float = 0.16  # is of late, when the query goes on with a talk
    asks: float = -0.06  # is a question itself


@dataclass(frozen=True, slots=True)
class NoteWeights:
    """Amounts added to the score of a note, and factors of it."""

    attribute: float = 0.4  # added: it has the attribute that is asked for
    meant: float = 0.4  # added: it has one that is surely meant, without being named
    somebody_else: float = 0.6  # multiplied: it is about somebody whom the question does not name
    pinned: float = 0.05  # added
    doubted: float = 0.5  # multiplied: more readers objected to it than it was of use to


@dataclass(frozen=True, slots=True)
class SpeechWeights:
    """How much something said counts, by who said it and how it was meant."""

    not_the_user: float = 0.5  # an assistant's word, when something of the person is asked
    nobodys: float = 0.75  # an assistant's word, when nobody is spoken of
    told_back: float = 1.0  # an assistant's word, when it is asked what the assistant said
    whoever_asks: float = 0.7  # the person's own word then
    standing: Mapping[Standing, float] = field(  # a message that does not state what is so, now and of the speaker
        default_factory=lambda: dict.fromkeys(
            (Standing.ASKED, Standing.SUPPOSED, Standing.OF_OTHERS, Standing.LONG_AGO), 0.7
        )
    )


@dataclass(frozen=True, slots=True)
class ClosenessWeights:
    """The worth of comparing the best hits with the question word by word."""

    worth: float = 0.3  # for the closest
    compared: int = 30  # hits, best first; with twice as many hardly anything was found that was not among them
    farthest: float = 0.05  # share of the hits that are as far as can be: a single stray one sets no scale


@dataclass(frozen=True, slots=True)
class RelevanceWeights:
    """The worth of a model's word, which has read question and text together, that the one answers the other."""

    compared: int = 12  # hits at most, best first; each costs a run of the model
    at_once: int = 4  # hits that are read before it is asked whether that was enough
    enough: float = 0.7  # likely so much that nothing further down is read
    longest: int = 300  # characters of a question
    worth: float = 1.0  # for one that surely answers
    never: float = 0.002  # likely so little that less makes no difference


@dataclass(frozen=True, slots=True)
class ChainWeights:
    """When the judged link of two statements moves them."""

    considered: int = 40  # hits, best first, whose links are looked up
    rounds: int = 3  # of links that are followed: from a statement to what replaced it, and on from there
    replaces: float = 0.45  # score from which a newer statement takes the place of an older one
    repeats: float = 0.5
    not_asserted: float = 0.2  # worth of a message that surely asserts nothing, where how things stand is asked
    first_few: int = 5  # what is over stands behind so many others
    says_one_thing: int = 120  # characters; what is longer says more than what was replaced, and is not over with it


@dataclass(frozen=True, slots=True)
class PassageWeights:
    """When a passage of a long message gives the newest figure."""

    considered: int = 10  # hits, best first: those that a reader sees
    long: int = 320  # characters; what is longer is about several things, and replaces none of them as a whole
    read: int = 1_500  # characters of a message; what somebody tells comes before what they paste
    span: int = 24  # words in which those of the question stand together
    beside: int = 6  # words before and after, in which the figure and the change are looked for
    head: float = 0.5  # worth of the words that name what is asked, "height" in "the height of the garden wall"
    about_it: float = 0.4  # of the weight of the question's words: a passage with less is about something else
    as_much: float = 0.55  # of what the older passage has: an update takes for granted what it is about


@dataclass(frozen=True, slots=True)
class Scale:
    """How near is near, in one model's own measure: below `nothing` it knows nothing, from `all` on everything."""

    nothing: float
    all: float


@dataclass(frozen=True, slots=True)
class CoverageWeights:
    """The worth of the signs of coverage; 1 is the way from nothing to everything on a model's scale."""

    words: float = 0.53  # all of the asked words in one hit
    attribute: float = 0.4
    strangers: float = 0.87
    only_strangers: float = 0.6  # without a model: share of the other words that one hit must have
    hits: int = 10  # that are looked at; further down there are only single words
    # Where hits were read beside a question: nothing is known if none answers it more likely. Of the questions of two
    # talks that have an answer none was below it, of those that belong to another talk six in ten.
    unanswered: float = 0.1
    # Where they were read together: how likely none answers. Of 621 questions of validation authors that have an answer
    # one in fifty-five is above it, of 226 that have none one in eight.
    nothing: float = 0.75
    something: float = 0.5  # less likely than that none answers: then something is known, however far its words are
    answered: float = 0.4  # how likely one answers for which the same is true
    farther_if_read: float = 0.2  # below nothing on the scale, where a model read a hit and holds that it may answer
    surely_answered: float = (
        0.7  # the same, where a question names somebody of whom nobody spoke, or nothing else answers
    )
    far: float = 0.45  # below nothing on the scale; of development messages that answer, one in a hundred is as far
    # By the beginning of a model's id. Measured on questions to talks and chats, against questions that belong to other
    # conversations: fewer than 1 in 100 questions that have an answer are told that nothing is known; from 0.6 on it
    # would be 3 in some sets.
    scales: Mapping[str, Scale] = field(
        default_factory=lambda: {
            "encoder": Scale(nothing=0.33, all=0.75),
            "arctic-embed-s": Scale(nothing=0.59, all=0.74),
        }
    )


@dataclass(frozen=True, slots=True)
class BlockLimits:
    """The limits of a block for a prompt."""

    share: int = 3  # no line takes more than this part of the room: an answer is seldom in one place
    least: int = 40  # tokens that a line is cut down to, if it must; less says nothing
    faint: float = 0.1  # share of the best score below which a hit is only noise in a prompt
    shortest: int = 15  # tokens: a date, an origin and a word; with less room than that nothing is tried
    alike: float = 0.85  # share of common words from which two lines say the same
    close: int = 2  # turns apart at most, within one region
    looked_through: int = 20_000  # characters of a long text in which its best passage is looked for


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """How well words must fit a question to be told as its answer. Shares are of the letters of the asked words."""

    most: int = 8  # sentences of an answer
    longest: int = 400  # characters of one
    considered: int = 12  # hits, best first, whose passages are looked at
    faint: float = 0.2  # share of the best score below which a hit is no part of an answer
    surely: float = 0.75  # how surely an attribute must be meant that is not named
    enough: float = 0.4  # share of what was asked that a passage has which answers by its words
    as_much: float = 0.75  # of the best passage's share: others with as much belong to the answer
    close: float = 0.5  # how close a hit is, word by word, that answers in other words
    as_close: float = 0.85
    likely: float = 0.4  # how likely a record answers that is quoted, by a model that read both
    as_likely: float = 0.85
    stands: float = 0.5  # how likely a quoted record answers beside which nothing counts that was taken back
    said: float = 0.75  # share of the words of a model's sentence that its citations have, besides names and numbers


@dataclass(frozen=True, slots=True)
class Weights:
    """All of it. `off` names the steps of `recall/steps.py` that are not taken."""

    question: QuestionLimits = QuestionLimits()
    spelling: SpellingLimits = SpellingLimits()
    breadth: Breadth = Breadth()
    match: MatchWeights = MatchWeights()
    signs: SignWeights = SignWeights()
    note: NoteWeights = NoteWeights()
    speech: SpeechWeights = field(default_factory=SpeechWeights)
    closeness: ClosenessWeights = ClosenessWeights()
    relevance: RelevanceWeights = RelevanceWeights()
    chains: ChainWeights = ChainWeights()
    passages: PassageWeights = PassageWeights()
    coverage: CoverageWeights = field(default_factory=CoverageWeights)
    block: BlockLimits = BlockLimits()
    answer: AnswerWeights = AnswerWeights()
    off: frozenset[str] = frozenset()


WEIGHTS = Weights()
