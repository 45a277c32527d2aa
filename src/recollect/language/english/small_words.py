"""The small words of English: lists of those that say little, each for one use.

The lists differ, and each is kept as it is: stored vectors and the order of answers depend on them.
"""

from __future__ import annotations

# Words that say how something is asked, not what about.
STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both but
    by can could d did do does doing don down during each few for from further had has have having he her here
    hers him his how i if in into is it its itself just let ll m me more most my myself no nor not now of off on
    once only or other our ours out over own please re s same she should so some such t tell than that the their
    theirs them then there these they this those through to too under until up us ve very was we were what when
    where which while who whom why will with would you your yours
    """.split()
)
# Words that say how something is said, and so are in every other text: the hashed embedding leaves them out.
UNHASHED = frozenset(
    """
    a about all also am an and any are as at be because been but by can could did do does for from had has have he her
    him his how i if in into is it its just like me more my no not now of on one or our out she should so some than
    that the their them then there these they this to up us was we were what when where which who why will with would
    you your
    """.split()
)
# Words of which no piece is kept for late interaction.
UNKEPT_PIECES = frozenset(
    """
    a an the this that these those and or but if then so as of to in on at by for from with about into over under up
    down out off is are was were be been being am do does did have has had will would can could shall should may might
    must i you he she it we they me him her us them my your his its our their mine yours there here what which who whom
    s t d ll re ve m just very too also
    """.split()
)
# Words between those of a value which do not tell it from another one.
FILLER = frozenset("a an the my our your his her their in on at of to with and".split())
# Words of requests to an agent that say nothing of its project.
CHATTER = frozenset("please can could make let add fix want need use using run thanks ok yes no now still new".split())
# Words of an answer that say when or of whom, and claim nothing by themselves.
OF_STANDING = frozenset(
    "user users current currently today presently earlier formerly previously since until before used also".split()
)
DENIALS = frozenset("not no never t without nor none".split())
# Words that make several words a sentence, and no secret.
OF_PROSE = frozenset(
    """
    a an the your my our their this that these is are was be been must should can may will not no for to of in on at
    by with from and or if when you we it please enter type choose forgot reset change show hide least field required
    invalid incorrect wrong do does did has have new current old confirm
    """.split()
)
# What is said of a password in one word, where the password itself could stand; some of it in other languages.
SAID_OF_PASSWORDS = frozenset(
    """
    wrong correct incorrect weak strong short long old new same safe secure insecure unsafe public private secret known
    unknown valid invalid empty blank missing hidden visible set unset ready broken lost gone stolen leaked random
    unique simple easy hard complex complicated important mandatory optional required different identical better worse
    good bad fine ok okay wrong: case too very not never always also only just here there below above inside outside
    what where when why how which who that this it them him her us you me everything nothing something anything
    stored kept saved hashed salted encrypted generated written printed shown taped under behind near on in at by for
    from with without being been going about crucial essential critical vital key plain plaintext cleartext yours mine
    ours theirs his hers expiring expired due outdated stale current temporary permanent per managed rotated changed
    passwort mot contraseña senha falsch richtig abgelaufen incorrecta incorrecto correcta erforderlich notwendig
    obligatoire requis incorrect expiré invalide faux verlopen onjuist fout vereist errada inválida obrigatória vencida
    """.split()
)
