"""Jobs as values, and the port through which a runner takes them: work done after the call that asked for it."""
