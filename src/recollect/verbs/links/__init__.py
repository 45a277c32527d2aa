"""Links between statements as verbs need them: judged with what is written, by a job, and corrected by people."""
