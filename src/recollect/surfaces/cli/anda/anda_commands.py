"""The commands of Anda Brain's command line: each is a request, but for those that make keys and capabilities."""

from __future__ import annotations

from recollect.domain.dataclass import dataclass
from recollect.operations import Shape
from recollect.surfaces.cli.commands import Argument, Command, flag, option

_CHAPTER = "Anda Brain"
_COLLECTION = option(
    "collection", "which series: formation, recall or maintenance", choices=("formation", "recall", "maintenance")
)
_NUMBER = Argument("conversation", "NUMBER", Shape.WHOLE, "the number of the conversation", required=True)
_CONTEXT = option("context", "who and what it is about, as a JSON object", Shape.OBJECT)
# Where the server is; each can be said by a variable as well.
_SERVER = (
    option("base_url", "the address of the server; or ANDA_BASE_URL"),
    option("token", "a capability or a space token; or ANDA_TOKEN, which nobody else sees"),
    option("shard", "the shard it is for; or ANDA_SHARD", Shape.WHOLE),
    option("timeout", "seconds to wait; or ANDA_TIMEOUT; 120, if not given", Shape.NUMBER),
)
_SPACE = option("space_id", "the space; or ANDA_SPACE_ID")


@dataclass(frozen=True, slots=True)
class AndaRequest:
    """A request that a command makes. Arguments that the path does not name are its query, or its body."""

    method: str
    path: str


_KIP = Argument("command", "COMMAND", Shape.TEXT, "one KIP command", required=True)
_MODEL = (
    option("family", "the provider: anthropic, openai, gemini …", required=True),
    option("api_key", "its key; or ANDA_API_KEY, which nobody else sees"),
    flag("disabled", "take the key away"),
)
_OWNED = (
    option("user", "the principal who owns it"),
    option("tier", "how much it may hold: 10^(tier + 2) entities or conversations", Shape.WHOLE),
)
_SAID = (
    option("messages", "messages as a JSON list"),
    option("file", "a file of JSON, or - for standard input", names_file=True),
    option("batch_dir", "a folder of such files, sent by their names", names_file=True),
    _CONTEXT,
    option("timestamp", "when it was said"),
)

_ROWS: tuple[tuple[str, str, AndaRequest, tuple[Argument, ...]], ...] = (
    ("status", "say which server answers", AndaRequest("GET", "/info"), ()),
    ("formation", "send a conversation to be remembered", AndaRequest("POST", "/v1/{space}/formation"), _SAID),
    (
        "recall",
        "ask a question",
        AndaRequest("POST", "/v1/{space}/recall"),
        (Argument("query", "QUERY", Shape.TEXT, "the question", required=True), _CONTEXT),
    ),
    (
        "maintenance",
        "put memory in order",
        AndaRequest("POST", "/v1/{space}/maintenance"),
        (
            option("scope", "how thorough", choices=("daydream", "quick", "full")),
            option("trigger", "why", choices=("on_demand", "scheduled", "threshold")),
        ),
    ),
    (
        "execute-kip-readonly",
        "ask the knowledge graph with KIP",
        AndaRequest("POST", "/v1/{space}/execute_kip_readonly"),
        (_KIP, option("parameters", "its parameters, as a JSON object", Shape.OBJECT)),
    ),
    ("info", "show a space", AndaRequest("GET", "/v1/{space}/info"), ()),
    ("formation-status", "show how far formation is", AndaRequest("GET", "/v1/{space}/formation_status"), ()),
    (
        "get-or-init-user",
        "make sure that a person is known",
        AndaRequest("POST", "/v1/{space}/get_or_init_user"),
        (
            Argument("user", "USER", Shape.TEXT, "the id of the person", required=True),
            option("name", "what they are called"),
        ),
    ),
    (
        "conversations list",
        "list conversations, the newest first",
        AndaRequest("GET", "/v1/{space}/conversations"),
        (
            _COLLECTION,
            option("cursor", "where the last page ended"),
            option("limit", "how many", Shape.WHOLE),
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
            option("messages_offset", "messages that are known", Shape.WHOLE),
            option("artifacts_offset", "artifacts that are known", Shape.WHOLE),
        ),
    ),
    ("management list-tokens", "list space tokens", AndaRequest("GET", "/v1/{space}/management/space_tokens"), ()),
    (
        "management add-token",
        "make a space token, and show it this once",
        AndaRequest("POST", "/v1/{space}/management/add_space_token"),
        (
            Argument("scope", "SCOPE", Shape.TEXT, "read, write or * for both", required=True),
            option("name", "what it is for"),
            option("expires_at", "when it ends, in milliseconds since 1970", Shape.WHOLE),
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
            option("name", "its name"),
            option("description", "what it is for"),
            option("public", "whether everybody may read it", Shape.TRUTH),
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
            option("sub", "the principal whose it is", required=True),
            option("aud", "the one space it is for; all of them (*), if not given"),
            option("scope", "read or write; both (*), if not given"),
            option("ttl", "for how many seconds; 3600, if not given", Shape.WHOLE),
            option("kid", "the id of the key, if it has one"),
        ),
    ),
    *(_command(*row) for row in _ROWS),
)
