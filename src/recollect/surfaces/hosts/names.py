"""What the hosts are called, and the other memories that can be taken in, for those who only need their names."""

HOST_NAMES = ("claude-code", "codex", "gemini", "opencode", "openclaw", "cursor")
SOURCES = ("claude-code", "claude-mem", "agentmemory", "basic-memory", "server-memory", "mem0", "chatgpt", "claude")
