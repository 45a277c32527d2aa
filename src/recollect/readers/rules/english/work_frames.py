"""Wordings that name a technology and leave it to the technology which attribute it is a value of.

`@` stands for the attribute of the kind of the value, `@version` for the version of what is named. The form of a line is
explained in `attributes.records`.
"""

from __future__ import annotations

KIND_FRAMES = {
    "@version": """
        ANY bump|upgrade|update|move|pin|downgrade|raise|take THING:tech from OLD:number to VALUE:number
        ANY bump|upgrade|update|pin|downgrade|raise THING:tech to|at VALUE:number
        THING:tech !bump|!upgrade|!update|!pin|!downgrade from OLD:number to|at VALUE:number
        THING:tech !bump|!upgrade|!update|!pin|!downgrade to|at VALUE:number
    """,
    "@": """
        ANY use|run|adopt|choose|pick|have|pin|employ|like|embrace|introduce|select|standardise|standardize|need|require VALUE:tech ?for|in|behind|on|with|as|at|inside THING
        ANY stick|stay|go|settle|standardise|standardize|rely|depend|be|run|live|sit|operate with|on|for|in VALUE:tech
        ANY switch|move|migrate|change|upgrade|convert|go|transition|port|bump|update|transfer ?THING from|off OLD:tech to|onto VALUE:tech
        ANY switch|move|migrate|change|upgrade|convert|go|transition|port|bump|update ?THING to|onto|over VALUE:tech
        ANY move|migrate ?THING off|from|away VALUE:tech > ended
        ANY swap|replace|exchange|trade|substitute|ditch|drop|abandon|retire|leave OLD:tech for|with|by|favour|against VALUE:tech
        ANY drop|ditch|abandon|retire|leave|replace|switch OLD:tech in VALUE:favour
        OLD:tech !replace|!swap|!exchange|!substitute by|with|for VALUE:tech
        VALUE:tech replace|supersede OLD:tech
        ANY stop|drop|ditch|abandon|quit|remove|retire|kill|deprecate|scrap|sunset|uninstall|phase|leave VALUE:tech ?in|from|for THING > ended
        VALUE:tech !drop|!remove|!retire|!kill|!deprecate|!scrap|!abandon|!replace|!phase|!sunset > ended
        THING !write|!build|!make|!power|!run|!base|!implement|!pin with|in|on|by|to|around|using|from VALUE:tech
        VALUE:tech power|drive|run|serve|back THING
        VALUE:tech be =live|database|cache|stack|choice|tool
        VALUE:tech be & is out|are out|is gone|is history|is dead > ended
        VALUE:tech !switch|!turn|!shut & off|down > ended
        VALUE:tech be & is in$|is here$ > soft
        THING be|become VALUE:techname
        ANY rewrite|rebuild|redo|redesign|reimplement THING from OLD:tech to|in|with|on VALUE:tech
        ANY put|place VALUE:tech in =front of THING
        ANY rip|throw|kick|take|pull|tear VALUE:tech ?of|from THING +out > ended
        ANY put|place|plug|drop VALUE:tech & in$|in place$|instead$
        ANY upgrade|bump|update|pin THING to|at|on VALUE:tech
        ANY rely|depend on|upon VALUE:tech
        ANY write|work|code|develop|edit in|with VALUE:tech
    """,
}
