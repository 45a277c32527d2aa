"""The bytes of files, in the database beside the messages they came with: one backup, one erasure, on either one."""
