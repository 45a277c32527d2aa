"""Verbs about keys that a space brings along for providers. A key is sealed, and never shown again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.domain.errors import InvalidInput, NotAllowed, NotFound
from recollect.domain.origin import Channel
from recollect.domain.selections import Page
from recollect.operations import Effect
from recollect.verbs.actor import operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from recollect.domain.answers.spending import ProviderKey

_SHORTEST, _LONGEST = 8, 1000  # characters of a key
_WHOLE = "Keys are of a whole space"


class KeyVerbs(Writing):
    """Keys of providers by space: set, list, remove."""

    @operation(Effect.WRITE, name="provider-keys.set")
    def set_provider_key(self, provider: str, secret: str, *, space: str | None = None) -> ProviderKey:
        """Have the calls of a space go to a provider with a key of its own, in place of an earlier one.

        The key is sealed, used for this space alone, and shown to nobody.
        """
        from recollect.domain.answers.spending import ProviderKey

        where, name = self._whole(space, _WHOLE), self._configured(provider)
        if self._caller.channel is Channel.MCP:
            raise NotAllowed(
                "A key is not handed over by an agent: whatever an agent says has been read by a model.",
                code="key_by_agent",
                hint="Use `recollect provider-keys set`, or HTTP.",
            )
        key = secret.strip() if isinstance(secret, str) else ""
        if not _SHORTEST <= len(key) <= _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
            raise InvalidInput(
                "This is no key of a provider.", code="invalid_key", hint="It is one word, as the provider shows it."
            )
        shown = ProviderKey(where, name, self._engine.clock.now(), self._caller.principal)
        if self._rehearsed is None:
            from recollect.domain.chat.provider_settings import SealedKey, seal_context

            sealed = self._engine.sealing.seal(key.encode(), seal_context(where, name))
            self._engine.provider_keys.put(SealedKey(shown, sealed))
        return shown

    @operation(Effect.READ, name="provider-keys.list")
    def provider_keys(self, *, space: str | None = None) -> Page[ProviderKey]:
        """List the providers that a space has keys of its own for, without the keys."""
        return Page(tuple(each.shown for each in self._engine.provider_keys.keys(self._whole(space, _WHOLE))))

    @operation(Effect.WRITE, name="provider-keys.remove")
    def remove_provider_key(self, provider: str, *, space: str | None = None) -> ProviderKey:
        """Take a key of a space away. Its calls go with the key of the settings again, if there is one."""
        where = self._whole(space, _WHOLE)
        found = next(
            (each.shown for each in self._engine.provider_keys.keys(where) if each.shown.provider == provider), None
        )
        if found is None:
            raise NotFound(
                f"`{where}` has no key of its own for `{str(provider)[:60]}`.",
                code="no_provider_key",
                hint="`recollect provider-keys list` shows those it has.",
            )
        if self._rehearsed is None:
            self._engine.provider_keys.remove(where, found.provider)
        return found

    def _configured(self, provider: str) -> str:
        names = [each.name for each in self._engine.settings.providers]
        if provider not in names:
            raise NotFound(
                f"There is no provider `{str(provider)[:60]}` in the settings.",
                code="no_provider",
                hint=f"There are: {', '.join(names)}." if names else "None is configured: docs/providers.md.",
            )
        return provider
