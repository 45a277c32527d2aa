"""`recollect anda`: the commands of Anda Brain's own command line, against any server that speaks its paths."""
