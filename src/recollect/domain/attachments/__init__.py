"""Files that come with a message: what may be kept of them, how large they may be, and what they are called.

The bytes of a file are in two values only, `Attachment` on its way in and `AttachmentContent` on its way out. A message
and an observation know a file by its digest, its name and the words about it; so nothing that reads, embeds or ranks
them can be handed a picture.
"""
