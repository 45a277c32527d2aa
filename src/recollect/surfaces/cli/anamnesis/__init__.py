"""The program `anamnesis`: its commands, its output and its names of settings, on a vault of ours."""
