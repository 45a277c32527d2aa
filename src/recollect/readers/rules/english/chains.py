"""Verbs that lead to another verb, and what they make of it: "I plan to move" is a plan, "I stopped eating" an end.

Each line is an effect and the wordings that have it. A wording is a verb and the words that follow it up to the next
verb; `would` before it is taken in where it matters.
"""

from __future__ import annotations

CHAINS = {
    "planned": (
        "plan to, plan on, intend to, go to, be about to, arrange to, prepare to, look to, be set to, be due to, "
        "be planning to, mean to, aim to, get ready to, be meant to, schedule to"
    ),
    "wished": (
        "want to, wish to, hope to, would like to, would love to, dream of, dream about, long to, be keen to, be "
        "dying to, would prefer to, would enjoy, fancy, fantasise about, look forward to, want, can not wait to, "
        "be eager to"
    ),
    "supposed": (
        "think about, think of, consider, toy with the idea of, contemplate, play with the idea of, play with the "
        "thought of, talk about, flirt with the idea of, look into, be tempted to, seem to, ask to, tend to want "
        "to, apply to, offer to, refuse to, fail to, forget to, debate, discuss, be supposed to, pretend to, be "
        "thinking of, be unsure about, think, weigh up, be open to, be close to, be able to"
    ),
    "trying": "try to, attempt to, work on, work towards, struggle to, strive to",
    "obliged": "need to, have to, must, got to",
    "started": (
        "start to, start, begin to, begin, go back to, get into, take to, end up, get to, get used to, be back to, "
        "return to"
    ),
    "stopped": (
        "stop, quit, give up, give up on, cease to, cease, finish, be done, get tired of, refrain from, be tired of"
    ),
    "kept": (
        "keep, keep on, continue to, continue, go on, be still, manage to, happen to, be used to, spend time, tend "
        "to, be known to"
    ),
    "decided": (
        "decide to, choose to, agree to, opt to, be allowed to, decide on, settle on, commit to, prefer to, "
        "prefer, be happy to"
    ),
    "past": "used to, use to",
    "liked": "like to, like, love to, love, enjoy, adore, be fond of, be into, be passionate about",
    "disliked": "hate to, hate, dislike, can not stand, loathe, detest, despise, avoid, mind",
    "skilled": "be good at, be great at, know how to, excel at",
}
