"""Parts of speech, as bits: a word may be several things until its neighbours decide."""

from __future__ import annotations

# Plain integers, because an enum of flags costs more per word than all the rest of the reading.
DET = 1 << 0  # a, the, this
POSS = 1 << 1  # my, our, her
SUBJECT = 1 << 2  # I, we, she
OBJECT = 1 << 3  # me, us, them
BE = 1 << 4
HAVE = 1 << 5
DO = 1 << 6
MODAL = 1 << 7  # will, might
NEG = 1 << 8  # not, never
PREP = 1 << 9
CONJ = 1 << 10  # and, but
SUB = 1 << 11  # because, if
ADV = 1 << 12
VERB = 1 << 13  # any form of a full verb
BASE = 1 << 14
THIRD = 1 << 15  # lives
PAST = 1 << 16  # lived
PART = 1 << 17  # lived, gone
ING = 1 << 18  # living
NOUN = 1 << 19  # known to be a noun as well
ADJ = 1 << 20
WH = 1 << 21  # who, which, where
NUM = 1 << 22
NAME = 1 << 23  # written like a name
CODE = 1 << 24  # `between backticks`, an address, a path
PUNCT = 1 << 25
TIME = 1 << 26  # inside a time phrase
INTERJ = 1 << 27  # hi, thanks
OWNER = 1 << 28  # the 's of Ana's
THERE = 1 << 29  # "there is"

AUX = BE | HAVE | DO | MODAL
NOMINAL = NOUN | NAME | NUM | CODE | ADJ
