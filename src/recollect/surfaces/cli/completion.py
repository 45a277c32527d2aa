"""`recollect completion`: a script for a shell, with every command and option written out.

The script asks nobody when a key is pressed, so that completing is instant.
"""

from __future__ import annotations

from collections.abc import Iterator

from recollect.domain.errors import InvalidInput
from recollect.operations import Shape
from recollect.surfaces.cli.commands import SHARED, Argument, Command, all_commands, short_meaning
from recollect.surfaces.cli.parsing import Request
from recollect.surfaces.cli.screens.render import Screen
from recollect.surfaces.cli.terminal import Terminal


def completion(request: Request, _terminal: Terminal) -> Screen:
    shell = request.arguments["shell"]
    scripts = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    if shell not in scripts:
        raise InvalidInput(
            f"There is no completion for `{shell}`.",
            code="unknown_shell",
            hint="There is one for bash, zsh and fish.",
        )
    return Screen(tuple(scripts[shell](all_commands())))


def _bash(commands: tuple[Command, ...]) -> Iterator[str]:
    yield "# Completion of recollect for bash. To use it: source <(recollect completion bash)"
    yield "_recollect() {"
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" word'
    yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield '        case "$command $word" in'
    yield f'            {"|".join(_typed_starts(commands))}) command="${{command:+$command }}$word" ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$before" in'
    for option, choices in _choices(commands).items():
        yield f'        {option}) COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$current")); return ;;'
    files = sorted({each.spelled for each in _options(commands) if each.names_file})
    yield f'        {"|".join(files)}) COMPREPLY=($(compgen -f -- "$current")); return ;;'
    yield "    esac"
    yield '    case "$command" in'
    start = " ".join([*_first_words(commands), *(option.spelled for option in SHARED), "--help", "--version"])
    yield f'        "") COMPREPLY=($(compgen -W "{start}" -- "$current")) ;;'
    for group, members in _groups(commands).items():
        yield f'        "{group}") COMPREPLY=($(compgen -W "{" ".join(members)}" -- "$current")) ;;'
    for command in commands:
        words = " ".join([*_option_words(command), *_place_choices(command)])
        files_too = ' $(compgen -f -- "$current")' if _takes_file(command) else ""
        yield f'        "{command.spelled}") COMPREPLY=($(compgen -W "{words}" -- "$current"){files_too}) ;;'
    yield "    esac"
    yield "}"
    yield "complete -F _recollect recollect"


def _zsh(commands: tuple[Command, ...]) -> Iterator[str]:
    yield "#compdef recollect"
    yield "# Completion of recollect for zsh. To use it: source <(recollect completion zsh)"
    yield "_recollect() {"
    yield "    local command=$words[2]"
    yield "    local -a commands members"
    yield "    commands=("
    groups = _groups(commands)
    for command in commands:
        if command.words[0] not in groups:
            yield f"        {_zsh_pair(command.spelled, short_meaning(command))}"
    for group in groups:
        if " " not in group:
            yield f"        {_zsh_pair(group, ', '.join(groups[group]))}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then _describe command commands; return; fi"
    for group, members in groups.items():
        yield f'    if [[ $command == "{group}" ]]; then'
        yield f"        members=({' '.join(members)})"
        yield "        if (( CURRENT == 3 )); then _describe member members; return; fi"
        yield f'        command="{group} $words[3]"; (( CURRENT-- )); shift words'
        yield "    fi"
    yield "    (( CURRENT-- )); shift words"
    yield "    case $command in"
    for command in commands:
        specs = [_zsh_spec(each, spelled) for each in command.arguments for spelled in _spellings(each)]
        yield f'        "{command.spelled}") _arguments {" ".join(specs)} ;;'
    yield "    esac"
    yield "}"
    yield "compdef _recollect recollect"


def _fish(commands: tuple[Command, ...]) -> Iterator[str]:
    groups = _groups(commands)
    firsts = " ".join(_first_words(commands))
    yield "# Completion of recollect for fish. To use it: recollect completion fish | source"
    yield "complete -c recollect -f"
    for command in commands:
        if command.words[0] not in groups:
            told = _fish_text(short_meaning(command))
            yield f"complete -c recollect -n 'not __fish_seen_subcommand_from {firsts}' -a {command.spelled} -d {told}"
    for group, members in groups.items():
        if " " not in group:
            yield f"complete -c recollect -n 'not __fish_seen_subcommand_from {firsts}' -a {group}"
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in group.split())
        unseen = f"{seen}; and not __fish_seen_subcommand_from {' '.join(members)}"
        yield f"complete -c recollect -n '{unseen}' -a '{' '.join(members)}'"
    for command in commands:
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.words)
        for argument in command.arguments:
            if argument.is_option:
                flag = "" if argument.shape is Shape.TRUTH else " -F -r" if argument.names_file else " -x"
                values = f" -a '{' '.join(argument.choices)}'" if argument.choices else ""
                told = _fish_text(argument.meaning)
                for spelled in _spellings(argument):
                    yield f"complete -c recollect -n '{seen}' -l {spelled[2:]}{flag}{values} -d {told}"
            elif argument.choices:
                yield f"complete -c recollect -n '{seen}' -a '{' '.join(argument.choices)}'"
            elif argument.names_file:
                yield f"complete -c recollect -n '{seen}' -F"


def _first_words(commands: tuple[Command, ...]) -> list[str]:
    return list(dict.fromkeys(command.words[0] for command in commands))


def _groups(commands: tuple[Command, ...]) -> dict[str, list[str]]:
    """The words that may follow each beginning of a command: `anda`, and then `anda management`."""
    groups: dict[str, dict[str, None]] = {}
    for command in commands:
        for length in range(1, len(command.words)):
            groups.setdefault(" ".join(command.words[:length]), {})[command.words[length]] = None
    return {group: list(groups[group]) for group in sorted(groups, key=lambda group: group.count(" "))}


def _typed_starts(commands: tuple[Command, ...]) -> list[str]:
    """Shell patterns of a command while it is typed: nothing and a first word, or a group and its member."""
    firsts = [f'" {word}"' for word in _first_words(commands)]
    return firsts + [f'"{group} {member}"' for group, members in _groups(commands).items() for member in members]


def _options(commands: tuple[Command, ...]) -> Iterator[Argument]:
    return (argument for command in commands for argument in command.arguments if argument.is_option)


def _choices(commands: tuple[Command, ...]) -> dict[str, tuple[str, ...]]:
    return {option.spelled: option.choices for option in _options(commands) if option.choices}


def _spellings(option: Argument) -> list[str]:
    return [option.spelled, option.opposite] if option.opposite else [option.spelled]


def _option_words(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        if argument.is_option:
            yield from _spellings(argument)
    yield "--help"


def _place_choices(command: Command) -> tuple[str, ...]:
    return next((each.choices for each in command.arguments if not each.is_option and each.choices), ())


def _takes_file(command: Command) -> bool:
    return any(each.names_file and not each.is_option for each in command.arguments)


def _zsh_pair(word: str, meaning: str) -> str:
    return _quoted(f"{word}:{meaning}")


def _zsh_spec(argument: Argument, spelled: str) -> str:
    values = f":{spelled.strip('-').lower()}:"
    values += f"({' '.join(argument.choices)})" if argument.choices else "_files" if argument.names_file else " "
    if not argument.is_option:
        return _quoted(values if argument.required else f":{values}")
    several = "*" if argument.shape in (Shape.TEXTS, Shape.FILES) else ""
    told = argument.meaning.replace("[", "(").replace("]", ")").replace(":", ";")
    return _quoted(f"{several}{spelled}[{told}]{'' if argument.shape is Shape.TRUTH else values}")


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
