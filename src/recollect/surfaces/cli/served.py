"""The commands of everybody who comes in from outside: the server and its tokens, agents and their hooks."""

from __future__ import annotations

from recollect.domain.access import AccessScope
from recollect.domain.dataclass import replace
from recollect.operations import Shape
from recollect.surfaces.cli.commands import HOME, JSON, SPACE, STORE, Argument, Command, flag, option
from recollect.surfaces.hooks.hosts import HOSTS

_ACCESS_CHAPTER = "Access"
_SCOPES = tuple(each.value for each in AccessScope)
_TOKEN_ID = Argument("token_id", "ID", Shape.TEXT, "the id of the token", required=True)
_ACCOUNT = Argument("name", "NAME", Shape.TEXT, "the name by which the person signs in", required=True)
SERVED = (
    Command(
        ("serve",),
        "answer over HTTP until it is stopped, on this machine only unless told otherwise",
        _ACCESS_CHAPTER,
        (
            option("host", "the address to listen on; 127.0.0.1, if not given"),
            option("port", "the port; 7077, if not given, and any that is free for 0", Shape.WHOLE),
            option(
                "allow_hosts", "a further name it answers to, as behind a proxy", Shape.TEXTS, spelled="--allow-host"
            ),
            option(
                "allow_origins",
                "the origin of a web page elsewhere that may ask, with a token; none, if not given",
                Shape.TEXTS,
                spelled="--allow-origin",
            ),
            flag("insecure", "let everybody on this machine in, without a token"),
            option(
                "log",
                "where each request becomes a line; serve.log in the home folder, if not given, - for standard error",
                names_file=True,
            ),
            option(
                "rate", "requests a second of one token, and five times as many at once; 20, if not given", Shape.WHOLE
            ),
            option(
                "max_memory",
                "begin anew when it takes more megabytes than this; 2000, if not given, and never for 0",
                Shape.WHOLE,
            ),
            option(
                "restore_from",
                "first fill the store from this file or target, if it is empty; else say so and serve it as it is",
            ),
            option("workers", "processes that answer on the one port; one, if not given", Shape.WHOLE),
            flag("demo", "on a memory of its own, with something in it"),
            option("idle_stop", "end after so many minutes without a request", Shape.WHOLE),
            flag("status", "say whether a server runs, and where"),
            flag("stop", "end the server that runs, once its writes are done"),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(
        ("dashboard",),
        "open the dashboard in a browser, signed in, with the server of this home, which is started if need be",
        _ACCESS_CHAPTER,
        (
            option("open", "start a browser; yes, at a screen, unless denied", Shape.TRUTH, default=True),
            JSON,
            HOME,
        ),
    ),
    Command(
        ("worker",),
        "do the jobs of a store until it is stopped, beside any number of servers and workers",
        _ACCESS_CHAPTER,
        (
            option("threads", "jobs at once; 2, if not given", Shape.WHOLE),
            STORE,
            HOME,
        ),
    ),
    Command(
        ("mcp",),
        "speak MCP on standard input and output, with the server of this home, which is started if need be",
        _ACCESS_CHAPTER,
        (
            replace(SPACE, meaning="the one space it is about; the default one and, on request, others, if not given"),
            option(
                "toolset",
                "`core` for the eight tools of every day, `full` for every verb; core, if not given",
                choices=("core", "full"),
            ),
            option(
                "profile",
                "the tools of another memory server instead; `server-memory` is the reference knowledge graph",
                choices=("server-memory", "anamnesis", "anda", "anima"),
            ),
            option("url", "a server elsewhere, instead of this home's"),
            option("token_file", "the file with the token for `--url`", names_file=True),
            HOME,
        ),
    ),
    Command(
        ("hook",),
        "tell what happened in an agent, whose JSON is on standard input; agents call it, and it never fails",
        _ACCESS_CHAPTER,
        (
            Argument("event", "EVENT", Shape.TEXT, "what happened, by the agent's own word or by ours", required=True),
            option("agent", "which agent calls", required=True, choices=tuple(HOSTS)),
            option(
                "patience",
                "seconds to wait for the server; 6 at the start of a session, 1.5 for a prompt, otherwise 1",
                Shape.NUMBER,
            ),
            SPACE,
            HOME,
        ),
    ),
    Command(
        ("hooks", "drain"),
        "take in what hooks left on disk while no server ran",
        _ACCESS_CHAPTER,
        (JSON, STORE, HOME),
    ),
    Command(
        ("capture",),
        "take in a session from the transcript that an agent wrote; doing it twice changes nothing",
        _ACCESS_CHAPTER,
        (
            option(
                "transcript",
                "the file, as Claude Code writes them: one line of JSON each",
                required=True,
                names_file=True,
            ),
            JSON,
            SPACE,
            STORE,
            HOME,
        ),
    ),
    Command(
        ("top",),
        "watch what the server is doing, until it is stopped",
        _ACCESS_CHAPTER,
        (
            flag("once", "only once"),
            option("token", "a token that is not bound to a space; the first one, if not given"),
            JSON,
            HOME,
        ),
    ),
    Command(
        ("tokens", "create"),
        "make a token for the server, and show it this once",
        _ACCESS_CHAPTER,
        (
            option(
                "scope",
                "how far it goes, with the rights before it; read, if not given",
                choices=_SCOPES,
            ),
            option(
                "scopes",
                "exactly this right, in place of `--scope`, as in --only write for one that cannot read",
                Shape.TEXTS,
                spelled="--only",
                choices=_SCOPES,
            ),
            replace(SPACE, meaning="the one space it is for; all of them, if not given"),
            option("expires", "when it ends, as in 30d or 2027-01-01; never, if not given"),
            option("name", "in whose name its bearer writes"),
            option("user", "the one user of the space it is for"),
            option("agent", "the one agent of the space it is for"),
            option("project", "the one project of the space it is for"),
            option("dialect", "the one memory system whose paths it opens, such as mem0"),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(("tokens", "list"), "show the tokens, without their secrets", _ACCESS_CHAPTER, (JSON, STORE, HOME)),
    Command(
        ("tokens", "rotate"),
        "put a new secret in the place of a token, and show it this once",
        _ACCESS_CHAPTER,
        (
            _TOKEN_ID,
            option("overlap", "how long the old one goes on, as in 1h; not at all, if not given"),
            option("expires", "when the new one ends; when the old one would, if not given"),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(
        ("tokens", "link"),
        "make a link that signs a browser in, once, with the rights of a token",
        _ACCESS_CHAPTER,
        (_TOKEN_ID, JSON, STORE, HOME),
    ),
    Command(
        ("accounts", "create"),
        "make an account for a person, and a link by which they sign in and choose a password",
        _ACCESS_CHAPTER,
        (
            _ACCOUNT,
            option("identity", "the address or subject that an issuer vouches for"),
            option(
                "scope",
                "how far it goes, with the rights before it; write, if not given",
                choices=_SCOPES,
            ),
            replace(SPACE, meaning="the one space it is for; all of them, if not given"),
            option("expires", "when it ends, as in 30d or 2027-01-01; never, if not given"),
            JSON,
            STORE,
            HOME,
        ),
    ),
    Command(("accounts", "list"), "show the accounts of people", _ACCESS_CHAPTER, (JSON, STORE, HOME)),
    Command(
        ("accounts", "link"),
        "make a link by which a person signs in once and may choose another password",
        _ACCESS_CHAPTER,
        (_ACCOUNT, JSON, STORE, HOME),
    ),
    Command(
        ("accounts", "remove"),
        "take an account away, and sign its browsers out",
        _ACCESS_CHAPTER,
        (_ACCOUNT, JSON, STORE, HOME),
    ),
    Command(
        ("tokens", "revoke"),
        "end a token and all that it made, now, for every process",
        _ACCESS_CHAPTER,
        (_TOKEN_ID, JSON, STORE, HOME),
    ),
)
