"""The commands of Anda Brain's command line: each is a request, but for those that make keys and capabilities."""

from __future__ import annotations

from recollect.domain.dataclass import dataclass
from recollect.operations import Shape
from recollect.surfaces.cli.commands import Argument, Command

_CHAPTER = "Anda Brain"
_COLLECTION = Argument(
    "collection",
    "--collection",
    Shape.TEXT,
    "which series: formation, recall or maintenance",
    choices=("formation", "recall", "maintenance"),
)
_NUMBER = Argument("conversation", "NUMBER", Shape.WHOLE, "the number of the conversation", required=True)
_CONTEXT = Argument("context", "--context", Shape.OBJECT, "who and what it is about, as a JSON object")
# Where the server is; each can be said by a variable as well.
_SERVER = (
    Argument("base_url", "--base-url", Shape.TEXT, "the address of the server; or ANDA_BASE_URL"),
    Argument("token", "--token", Shape.TEXT, "a capability or a space token; or ANDA_TOKEN, which nobody else sees"),
    Argument("shard", "--shard", Shape.WHOLE, "the shard it is for; or ANDA_SHARD"),
    Argument("timeout", "--timeout", Shape.NUMBER, "seconds to wait; or ANDA_TIMEOUT; 120, if not given"),
)
_SPACE = Argument("space_id", "--space-id", Shape.TEXT, "the space; or ANDA_SPACE_ID")


@dataclass(frozen=True, slots=True)
class AndaRequest:
    """A request that a command makes. Arguments that the path does not name are its query, or its body."""

    method: str
    path: str


def _text(name: str, meaning: str, *, place: str = "", required: bool = False) -> Argument:
    spelled = place or f"--{name.replace('_', '-')}"
    return Argument(name, spelled, Shape.TEXT, meaning, required=required or bool(place))


_KIP = _text("command", "one KIP command", place="COMMAND")
_MODEL = (
    _text("family", "the provider: anthropic, openai, gemini …", required=True),
    _text("api_key", "its key; or ANDA_API_KEY, which nobody else sees"),
    Argument("disabled", "--disabled", Shape.TRUTH, "take the key away", default=False),
)
_OWNED = (
    _text("user", "the principal who owns it"),
    Argument("tier", "--tier", Shape.WHOLE, "how much it may hold: 10^(tier + 2) entities or conversations"),
)
_SAID = (
    Argument("messages", "--messages", Shape.TEXT, "messages as a JSON list"),
    Argument("file", "--file", Shape.TEXT, "a file of JSON, or - for standard input", names_file=True),
    Argument("batch_dir", "--batch-dir", Shape.TEXT, "a folder of such files, sent by their names", names_file=True),
    _CONTEXT,
    Argument("timestamp", "--timestamp", Shape.TEXT, "when it was said"),
)

_ROWS: tuple[tuple[str, str, AndaRequest, tuple[Argument, ...]], ...] = (
    ("status", "say which server answers", AndaRequest("GET", "/info"), ()),
    ("formation", "send a conversation to be remembered", AndaRequest("POST", "/v1/{space}/formation"), _SAID),
    (
        "recall",
        "ask a question",
        AndaRequest("POST", "/v1/{space}/recall"),
        (_text("query", "the question", place="QUERY"), _CONTEXT),
    ),
    (
        "maintenance",
        "put memory in order",
        AndaRequest("POST", "/v1/{space}/maintenance"),
        (
            Argument("scope", "--scope", Shape.TEXT, "how thorough", choices=("daydream", "quick", "full")),
            Argument("trigger", "--trigger", Shape.TEXT, "why", choices=("on_demand", "scheduled", "threshold")),
        ),
    ),
    (
        "execute-kip-readonly",
        "ask the knowledge graph with KIP",
        AndaRequest("POST", "/v1/{space}/execute_kip_readonly"),
        (_KIP, Argument("parameters", "--parameters", Shape.OBJECT, "its parameters, as a JSON object")),
    ),
    ("info", "show a space", AndaRequest("GET", "/v1/{space}/info"), ()),
    ("formation-status", "show how far formation is", AndaRequest("GET", "/v1/{space}/formation_status"), ()),
    (
        "get-or-init-user",
        "make sure that a person is known",
        AndaRequest("POST", "/v1/{space}/get_or_init_user"),
        (_text("user", "the id of the person", place="USER"), _text("name", "what they are called")),
    ),
    (
        "conversations list",
        "list conversations, the newest first",
        AndaRequest("GET", "/v1/{space}/conversations"),
        (
            _COLLECTION,
            _text("cursor", "where the last page ended"),
            Argument("limit", "--limit", Shape.WHOLE, "how many"),
        ),
    ),
    (
        "conversations get",
        "show a conversation",
        AndaRequest("GET", "/v1/{space}/conversations/{conversation}"),
        (_NUMBER, _COLLECTION),
    ),
    (
        "conversations delta",
        "show what is new in a conversation",
        AndaRequest("GET", "/v1/{space}/conversations/{conversation}/delta"),
        (
            _NUMBER,
            _COLLECTION,
            Argument("messages_offset", "--messages-offset", Shape.WHOLE, "messages that are known"),
            Argument("artifacts_offset", "--artifacts-offset", Shape.WHOLE, "artifacts that are known"),
        ),
    ),
    ("management list-tokens", "list space tokens", AndaRequest("GET", "/v1/{space}/management/space_tokens"), ()),
    (
        "management add-token",
        "make a space token, and show it this once",
        AndaRequest("POST", "/v1/{space}/management/add_space_token"),
        (
            _text("scope", "read, write or * for both", place="SCOPE"),
            _text("name", "what it is for"),
            Argument("expires_at", "--expires-at", Shape.WHOLE, "when it ends, in milliseconds since 1970"),
        ),
    ),
    (
        "management revoke-token",
        "end a space token",
        AndaRequest("POST", "/v1/{space}/management/revoke_space_token"),
        (Argument("revoked", "TOKEN", Shape.TEXT, "the token, or its beginning as lists show it", required=True),),
    ),
    (
        "management update-space",
        "say anew what a space is called, what it is for, and who may read it",
        AndaRequest("PATCH", "/v1/{space}/management/update_space"),
        (
            _text("name", "its name"),
            _text("description", "what it is for"),
            Argument("public", "--public", Shape.TRUTH, "whether everybody may read it"),
        ),
    ),
    (
        "management restart-formation",
        "form a conversation anew",
        AndaRequest("PATCH", "/v1/{space}/management/restart_formation"),
        (_NUMBER,),
    ),
    (
        "management get-byok",
        "show which provider a space has a key for",
        AndaRequest("GET", "/v1/{space}/management/space_byok"),
        (),
    ),
    (
        "management update-byok",
        "give a space a key of its own for a provider",
        AndaRequest("PATCH", "/v1/{space}/management/space_byok"),
        _MODEL,
    ),
    ("admin create-space", "make a space", AndaRequest("POST", "/admin/create_space"), (_SPACE, *_OWNED)),
    (
        "admin update-tier",
        "change the tier of a space",
        AndaRequest("POST", "/admin/{space}/update_space_tier"),
        _OWNED,
    ),
)

REQUESTS = {f"anda {words}": request for words, _, request, _ in _ROWS}


def _command(words: str, meaning: str, request: AndaRequest, own: tuple[Argument, ...]) -> Command:
    where = (_SPACE,) if "{space}" in request.path else ()
    return Command(("anda", *words.split()), meaning, _CHAPTER, (*own, *where, *_SERVER))


ANDA = (
    Command(("anda", "keygen"), "make a pair of Ed25519 keys for capabilities", _CHAPTER, ()),
    Command(
        ("anda", "cwt"),
        "sign a capability with the private key in ANDA_CWT_KEY",
        _CHAPTER,
        (
            _text("sub", "the principal whose it is", required=True),
            _text("aud", "the one space it is for; all of them (*), if not given"),
            _text("scope", "read or write; both (*), if not given"),
            Argument("ttl", "--ttl", Shape.WHOLE, "for how many seconds; 3600, if not given"),
            _text("kid", "the id of the key, if it has one"),
        ),
    ),
    *(_command(*row) for row in _ROWS),
)
