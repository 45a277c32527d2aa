"""Which wordings tell which attribute of a project or of one of its parts. The form of a line is that of life frames.

`THING` is what is being worked on or a part of it; `WHO` says "we"; the value's own kind decides where a frame stands
under `@`, and under `@ default` the word after it is meant when the value's kind is not known.
"""

from __future__ import annotations

WORK_FRAMES = {
    "database": """
        ANY store|keep|save|persist =data|state|record|records|everything|event|events|its|order|orders in|on|with VALUE:tool
        =data|state|record be|live|!store|!keep|!persist|!save in|on VALUE:tool
        ANY !back by VALUE:database_
    """,
    "cache": "ANY cache * in|with VALUE:tool",
    "message_queue": """
        =event|message|job|task go|flow|run|travel|!queue|!send|!publish|!process through|over|via|on|to|with|by|in VALUE:tool
        ANY publish|send|queue =event|events|message|messages|job|jobs to|on|through|via|with VALUE:tool
    """,
    "programming_language": """
        THING !write|!implement|!code|!program in VALUE:language_
        WHO write|implement|rewrite|port|code|program|reimplement THING in|to VALUE:language_
        WHO rewrite|port THING from OLD:language_ to|in VALUE:language_
        WHO write|code|program in VALUE:language_
    """,
    "framework": """
        THING !build|!make|!write|!create with|on|in|using VALUE:framework_
        WHO build|write|make|create|rewrite THING with|on|in VALUE:framework_
    """,
    "build_tool": """
        WHO build|bundle|compile|package ?THING with|using|by VALUE:tool
        THING !build|!bundle|!compile with|by|using VALUE:buildtool_
    """,
    "package_manager": """
        WHO manage|install|lock =dependency|dependencies|package|packages|deps with|using|via|through|by VALUE:tool
        =dependency|dependencies|package|packages !manage|!install|!lock with|by|through|via VALUE:tool
    """,
    "test_command": """
        YOU run VALUE:command to|before|after|for|in * > soft
        =ci call|run|execute|use|invoke VALUE:command
        =test|tests !start|!run|!execute|!launch with|by|via|using VALUE:command
        =test|tests run with|via|through|by VALUE:command
        WHO run =test|tests with|using|via|by VALUE:command
        THING use|run VALUE:command
        WHO use|run VALUE:command
        VALUE:command run =test|tests
    """,
    "test_framework": """
        WHO test|run =test|tests|* with|using|in VALUE:testframework_
        WHO write =test|tests in|with|using VALUE:tool
        =test|tests !write|!do in|with|using VALUE:tool
    """,
    "linter": "WHO lint ?* with|using VALUE:tool",
    "formatter": """
        WHO format ?* with|using VALUE:tool
        =code !format with|by|using VALUE:tool
    """,
    "ci": """
        =ci|pipeline|build|builds run|live|be|!run|!host on|in|with|at VALUE:tool
        WHO run|do|have =ci|pipeline|pipelines|build|builds on|in|with VALUE:tool
    """,
    "deploy_target": """
        WHO deploy|ship|release|push|publish THING to|on|onto VALUE:platform
        WHO deploy|ship|release to|on|onto VALUE:platform
        WHO host|run|serve THING on|at|with|from|in VALUE:platform
        THING !deploy|!host|!serve|!run|!ship on|to|from|at|in|with|by VALUE:platform
        THING run|live|sit on|in|at VALUE:platform
        WHO move|migrate|shift|transfer|port|relocate THING from|off OLD:platform to|onto|on VALUE:platform
        WHO move|migrate|shift|transfer|port|relocate THING to|onto|into VALUE:platform
        THING move|go|migrate|switch from OLD:platform to|onto VALUE:platform
        THING move|go|migrate|switch to|onto VALUE:platform
        WHO shut|take|tear|turn|kill|stop VALUE:deployment > ended
        WHO scale THING to * on VALUE:platform > soft
    """,
    "monitoring": """
        WHO monitor|watch|trace|observe ?* with|in|using|through VALUE:tool
        =error|exception|crash|metric|trace|alert !report|!send|!track|!collect|go|land to|in|by|with|into VALUE:tool
        WHO track|send|collect =error|errors|metric|metrics|exception|exceptions in|to|with VALUE:tool
    """,
    "logging": """
        WHO ship|send|collect|store =log|logs to|in|with VALUE:tool
        =log go|end|land|flow|!ship|!send|!store|live to|in|into VALUE:tool
    """,
    "payment_provider": """
        =payment|billing|checkout !handle|!process|run|go|be by|through|on|via|with VALUE:tool
        WHO process|handle|take =payment|payments with|through|via VALUE:tool
    """,
    "auth_provider": """
        =login|authentication|auth|sign-in !handle|run|go|be by|through|on|via|with VALUE:tool
        WHO handle|do =login|authentication|auth with|through|via VALUE:tool
    """,
    "issue_tracker": """
        WHO track|manage|keep|file|plan =issue|issues|ticket|tickets|task|tasks|bug|bugs|work in|with|on VALUE:tool
        =issue|ticket|bug|task live|be|!track|!file|go in|on|with|to VALUE:tool
    """,
    "chat_tool": """
        ANY chat|talk|communicate on|in|via|over VALUE:tool
        =team|chat be|live|happen on|in VALUE:chattool_
    """,
    "docs_tool": """
        =doc|docs|documentation|wiki live|be|sit|!write|!host|!keep in|on|with|at VALUE:tool
        WHO keep|write|document|maintain =doc|docs|documentation|wiki|* in|on|with VALUE:docstool_
    """,
    "code_host": """
        WHO host|keep =code|repo|repository|source in|on|at|with VALUE:tool
        =code|repo|repository|source live|be|!host in|on|at VALUE:tool
    """,
    "design_tool": """
        =design|mockup|wireframe !make|!do|live|!create in|with|on VALUE:tool
        WHO design|mock|prototype ?* in|with VALUE:tool
    """,
    "meeting_tool": """
        =call|meeting happen|take|be|!hold on|over|via|in VALUE:meetingtool_
    """,
    "license": """
        THING !license|!release|!publish under VALUE:name
        WHO relicense|license ?THING from OLD:name to VALUE:name
        WHO license|release|publish THING under VALUE:name
    """,
    "infrastructure_as_code": "WHO provision|define|describe|manage ?* with|in|using VALUE:iac_",
    "branching_model": """
        WHO follow|do|use|practise|practice|adopt|have|work ?with VALUE:branching_
        WHO work VALUE:branching_
        =rule|model be VALUE:branching_
        WHO give|drop|abandon|stop on|* VALUE:branching_ > ended
    """,
    "commit_style": """
        =message|commit|commits follow|use VALUE:name
        WHO follow VALUE:commitstyle
    """,
    "release_cycle": """
        WHO release|ship|deploy VALUE:recurrence
    """,
    "owner": """
        VALUE:person own|maintain|lead|head THING
        THING !own|!maintain|!lead by VALUE:any
        VALUE:person be =responsible|charge|in charge for|of|in THING
        VALUE:person be in =charge of THING
    """,
    "on_call": """
        VALUE:person be on =call|pager|duty
    """,
    "deadline": """
        THING be =due on|by|at|* VALUE:date
        WHO launch|ship|release|deliver|submit THING ?on|by VALUE:date
        THING launch|ship on|by|* VALUE:date
        THING go on|by|live|* VALUE:date +live
        THING !release|!launch on|by VALUE:date & will|planned|scheduled|to be
        THING have to =ship|launch|!ship by|on VALUE:date
    """,
    "team_meeting": """
        YOU block VALUE:slot for MEETING
        MEETING be|happen|take|start|run|stay at|on|in|place|to|* VALUE:slot
        MEETING move|shift|change|go|!move|!reschedule|!shift from OLD:slot to VALUE:slot
        MEETING move|shift|change|!move|!reschedule|!shift to VALUE:slot
        ANY meet on|at|every|* VALUE:slot
        WHO hold|have|do MEETING on|at|every|* VALUE:slot
    """,
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
