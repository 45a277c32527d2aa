"""Work on memory as a whole: reflecting on what happened, and the rounds that keep it in order."""
