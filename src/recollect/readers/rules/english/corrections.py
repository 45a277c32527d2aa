"""How people take back what they said. Patterns for the beginning of a sentence, in lower case."""

from __future__ import annotations

# The whole sentence only takes something back; the next one says what is right. `about` is what was wrong.
TAKING_BACK = (
    r"(?:(?:correction|sorry|oops|my bad|apologies|wait|no|update|erratum)[:,.!\s]+)*(?:(?:please )?(?:ignore|"
    r"forget|disregard|scratch|strike|scrap|discard) (?:what|everything|that thing|all|the thing) (?:i|we) (?:said|"
    r"told you|wrote|mentioned|claimed)(?: (?:earlier|before|previously|yesterday|last time))?(?: about "
    r"(?P<about>[^.;:!]+))?|i (?:mixed|messed|got|muddled|jumbled) (?:that|things|it|this|them|something|a few "
    r"things)(?: (?:up|wrong|mixed up))*(?: (?:earlier|before|previously|there|yesterday))?|i was (?:wrong|"
    r"mistaken|confused)(?: (?:earlier|before))?(?: about (?P<wrong>[^.;:!,]+))?|i (?:misspoke|mistyped|"
    r"misremembered|got confused|made a mistake|lied|erred)(?: (?:earlier|before))?(?: about "
    r"(?P<erred>[^.;:!,]+))?|what i said (?:earlier |before |about (?P<said>[^.;:!]+?) )?(?:was|is) (?:wrong|not "
    r"(?:true|right|correct)|incorrect|outdated)|that was (?:wrong|a mistake|a typo|incorrect|not right)|that(?:'s|"
    r" is) (?:wrong|not right|not correct|incorrect|not true))"
)
# The beginning of a sentence that goes on with what is right.
CORRECTING = (
    r"(?:correction|scratch that|strike that|my mistake|my bad|erratum|sorry,? i meant|i meant|i mean|sorry,? that "
    r"should be|oops,? i meant|wait,? i meant|no,? i meant|no,? i said|rather|or rather|let me correct (?:that|"
    r"myself)|to correct myself|typo|i misspoke|i was wrong|small correction|quick correction|no wait|wait no|"
    r"sorry, wrong|oops|sorry)\b[:,.!;\s—–-]*(?:it's |it is )?"
)
ACTUALLY = r"(?:actually|in fact|no)\b[,:]?\s*"
