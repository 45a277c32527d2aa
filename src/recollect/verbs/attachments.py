"""The verb that hands a file out again."""

from __future__ import annotations

from recollect.domain.attachments.attachment import AttachmentContent
from recollect.domain.errors import NotFound
from recollect.operations import Effect, operation
from recollect.verbs.actor import Acting


class AttachmentVerbs(Acting):
    """Files of messages: attachment."""

    @operation(Effect.READ)
    def attachment(self, digest: str, *, space: str | None = None) -> AttachmentContent:
        """Hand out a file that came with a message, byte for byte, by its digest."""
        name = self._readable(space)
        from recollect.codecs.attachments import checked_digest

        wanted = checked_digest(digest)
        found = self._engine.attachments.content(name, wanted)
        if found is None:
            raise NotFound(f"There is no file {wanted} in `{name}`.", code="attachment_not_found")
        return found
