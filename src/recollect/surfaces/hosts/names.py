"""Names of the hosts, and of the other memories that can be taken in, for modules that only need the names."""

HOST_NAMES = ("claude-code", "codex", "gemini", "opencode", "openclaw", "cursor")
SOURCES = (
    "claude-code",
    "claude-mem",
    "agentmemory",
    "basic-memory",
    "server-memory",
    "mem0",
    "zep",
    "hindsight",
    "supermemory",
    "letta",
    "mempalace",
    "langmem",
    "anima",
    "chatgpt",
    "claude",
)
