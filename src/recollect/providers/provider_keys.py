"""The key of a provider: from the variable that the settings read, or from the keyring of the operating system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.chat.provider_settings import CUSTOM, KNOWN

if TYPE_CHECKING:
    from recollect.domain.chat.provider_settings import ProviderSettings

SERVICE = "recollect"  # under which the keyring holds keys, each by the name of its provider


def key_of(provider: ProviderSettings) -> tuple[str, str]:
    """The key of a provider and where it is from; both empty if there is none."""
    if provider.key:
        return provider.key, next(iter(provider.source.split(", ")[::-1]), "")
    held = _in_keyring(provider.name)
    return (held, "keyring") if held else ("", "")


def needs_key(provider: ProviderSettings) -> bool:
    """Whether a provider takes no call without one: those that are known do, one at an own address may not."""
    return provider.name in KNOWN or (provider.name != CUSTOM and provider.kind != "openai")


def _in_keyring(name: str) -> str:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except (keyring.errors.KeyringError, RuntimeError, OSError):  # locked, or there is none on this machine
        return ""
