"""The kind of a file, by its name. A name that says nothing is taken for text, and the bytes decide whether it is."""

from __future__ import annotations

from recollect.remember.files.documents import FileKind

_BY_SUFFIX = {
    FileKind.MARKDOWN: "md markdown mdown mkd mdx",
    FileKind.TEXT: "txt text rst adoc asciidoc org tex log csv tsv srt vtt",
    FileKind.HTML: "html htm xhtml",
    FileKind.PDF: "pdf",
    FileKind.JSON: "json jsonl ndjson",
}
_KINDS = {suffix: kind for kind, suffixes in _BY_SUFFIX.items() for suffix in suffixes.split()}

_LANGUAGES = {
    "python": "py pyi pyw", "javascript": "js mjs cjs jsx", "typescript": "ts tsx mts cts", "java": "java",
    "kotlin": "kt kts", "scala": "scala", "groovy": "groovy gradle", "c": "c h", "c++": "cc cpp cxx hpp hh hxx",
    "c#": "cs", "f#": "fs fsx", "go": "go", "rust": "rs", "swift": "swift", "objective-c": "m mm", "ruby": "rb rake",
    "php": "php", "perl": "pl pm", "lua": "lua", "r": "r", "julia": "jl", "dart": "dart", "elixir": "ex exs",
    "erlang": "erl hrl", "haskell": "hs", "ocaml": "ml mli", "clojure": "clj cljs edn", "lisp": "lisp el scm",
    "zig": "zig", "nim": "nim", "shell": "sh bash zsh fish", "powershell": "ps1 psm1", "batch": "bat cmd",
    "sql": "sql", "css": "css scss sass less", "xml": "xml xsd xsl svg", "vue": "vue", "svelte": "svelte",
    "yaml": "yaml yml", "toml": "toml", "ini": "ini cfg conf properties", "hcl": "tf hcl", "protobuf": "proto",
    "graphql": "graphql gql", "cmake": "cmake", "make": "mk", "nix": "nix", "diff": "diff patch",
}  # fmt: skip
_LANGUAGE_OF = {suffix: language for language, suffixes in _LANGUAGES.items() for suffix in suffixes.split()}

_WHOLE_NAMES = {"makefile": "make", "dockerfile": "docker", "jenkinsfile": "groovy", "gemfile": "ruby"}


def kind_of(name: str) -> tuple[FileKind, str | None]:
    """The kind of a file and, for source code, its language."""
    name = name.lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    language = _LANGUAGE_OF.get(suffix) or _WHOLE_NAMES.get(name)
    if language:
        return FileKind.CODE, language
    return _KINDS.get(suffix, FileKind.TEXT), None


def is_known_text(name: str) -> bool:
    """Whether the name says that this is text, in whatever encoding."""
    kind, language = kind_of(name)
    suffix = name.lower().rpartition(".")[2]
    return language is not None or (suffix in _KINDS and kind is not FileKind.PDF)
