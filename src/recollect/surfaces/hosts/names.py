"""What the hosts are called, for those who only need their names."""

HOST_NAMES = ("claude-code", "codex", "gemini", "opencode", "openclaw", "cursor")
