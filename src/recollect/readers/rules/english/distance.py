"""Verbs that keep their distance: what they are said of is neither owned nor used."""

from __future__ import annotations

DISTANT_VERBS = (
    "eye covet crave ponder look see like love hate enjoy adore prefer read hear watch visit mention compare "
    "consider recommend suggest ask wonder think know apply interview meet talk speak present demo invest email "
    "call message admire envy want wish dream need miss find notice remember hope learn study teach explain "
    "describe discuss test try evaluate review borrow repair fix photograph draw paint sketch sue complain "
    "criticise support follow respect trust doubt believe say tell imagine expect predict understand fork clone "
    "star browse google search research benchmark tour pass lend gift give donate offer show sponsor partner "
    "compete beat acquire join contribute contact"
)
