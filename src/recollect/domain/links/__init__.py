"""Links between statements, as a model judged them: which newer one replaces, ends or repeats an older one."""
