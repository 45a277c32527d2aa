"""Commands under other names: what to suggest to somebody who types a word of another program.

They are suggestions and no aliases: words like `rm` mean one of several things here, and only one of them can be
undone.
"""

from __future__ import annotations

from collections.abc import Sequence

_ALL = "`recollect help all` lists the commands."
_KEEP = '`recollect save "…"` remembers one thing; `recollect add "…"` listens, and learns the facts in it.'
_TAKE_AWAY = (
    '`recollect retract ID` takes a note back and keeps its history; `recollect supersede ID "…"` says what is true'
    " instead; `recollect forget ID` erases it for good. Nothing was changed."
)
_LOOK_FOR = '`recollect search "…"` finds notes by what they mean.'
_SHOW = "`recollect get ID` shows a note, `recollect list` shows which there are."
_CHANGE = '`recollect update ID` corrects a note; `recollect supersede ID "…"` says what is true instead.'

_HINTS = {
    _KEEP: "remember store memorize memorise note put new create write insert learned",
    _TAKE_AWAY: "rm remove delete del erase drop destroy clear purge unlearn",
    _LOOK_FOR: "find query grep lookup fetch",
    '`recollect answer "…"` answers a question in sentences, with citations.': "ask question",
    "`recollect list` shows what is remembered.": "ls dir all notes memories ll",
    _SHOW: "cat view read open print display",
    _CHANGE: "edit change modify set fix correct replace rename amend",
    "`recollect retract ID` takes a note back; `recollect revert` sets a vault back.": "undo rollback",
    "`recollect status` shows what is kept, and where.": "info stats stat about",
    "`recollect doctor` checks that everything is well.": "check health diagnose verify test fsck",
    "`recollect init` connects the coding agents of this machine.": "setup install connect configure start",
    "`recollect ingest PATH` reads files; `recollect import` takes in another memory.": "load index upload",
    "`recollect export` writes everything down; `recollect backup` makes a copy.": "dump download save-all snapshot",
    "`recollect serve` starts the server.": "server run daemon up listen",
    "`recollect config` shows the settings.": "settings options preferences env",
    "`recollect history ID` shows how a note came to be.": "versions changes",
    "`recollect --version` shows the version.": "version",
    _ALL: "commands man",
}
_MEANT = {word: hint for hint, words in _HINTS.items() for word in words.split()}


def suggestion(typed: str, known: Sequence[str]) -> str:
    """A suggestion for an unknown command: its synonym, the nearest spelling, or where all commands are listed."""
    meant = _MEANT.get(typed.casefold())
    if meant is not None:
        return meant
    from difflib import get_close_matches

    # A word is compared with words of its own number first: `delet` is no misspelling of `slots delete`.
    alike = [each for each in known if each.count(" ") == typed.count(" ")]
    words = [*alike, *(word for word in _MEANT if " " not in typed)]
    close = get_close_matches(typed.casefold(), words, n=1, cutoff=0.7)
    if not close:
        return _ALL
    return _MEANT.get(close[0]) or f"Did you mean `recollect {close[0]}`?"
