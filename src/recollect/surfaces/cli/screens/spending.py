"""Language models for people: which provider does which task, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recollect.domain.answers.spending import (
    EmbeddingComparison,
    EmbeddingModels,
    ProviderKey,
    ProviderReport,
    SpendCap,
    SpendReport,
)
from recollect.domain.chat.spend import GROUPS
from recollect.domain.selections import Page
from recollect.surfaces.cli.terminal import Terminal, cut, inert, table

_NO_PROVIDER = (
    "No provider is configured: no language model is called, and nothing can be spent.",
    "Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, DEEPSEEK_API_KEY",
    "or RECOLLECT_PROVIDER_URL to have one.",
)
_WIDEST = 30  # columns of a name on a screen


def told_of_spending(
    result: ProviderReport | SpendReport | EmbeddingModels | EmbeddingComparison | ProviderKey | Page[ProviderKey],
    terminal: Terminal,
) -> tuple[Iterable[str], Iterable[str]]:
    """The answer of a verb about providers, their keys, spending and embedding models, as lines and asides."""
    if isinstance(result, ProviderKey | Page):
        keys = result.items if isinstance(result, Page) else (result,)
        rows = [
            [inert(each.provider), inert(each.space), f"{each.set_at:%Y-%m-%d}", inert(each.principal)] for each in keys
        ]
        told = () if keys else ("No key of its own: calls go with the keys of the settings.",)
        return table(["provider", "space", "set", "by"], rows, terminal) if rows else (), told
    if isinstance(result, EmbeddingModels):
        return embedding_lines(result), ()
    if isinstance(result, EmbeddingComparison):
        return comparison_lines(result), ()
    if isinstance(result, ProviderReport):
        return provider_page(result, terminal), () if result.providers else _NO_PROVIDER
    return spend_page(result, terminal), () if result.lines else (f"Nothing was spent since {result.since}.",)


def embedding_lines(models: EmbeddingModels) -> Iterator[str]:
    """The model that serves and the one beside it, a line each."""
    for role, name, model_id, lacking in (
        ("serves", models.serving, models.serving_id, models.lacking),
        ("beside", models.beside, models.beside_id, models.beside_lacking),
    ):
        if name:
            told = f"{lacking:,} texts lack a vector" if model_id else "not on this machine: words do the work"
            yield inert(f"{role}  {name}  {model_id}  ({told})")
    if models.setting != models.serving:
        yield inert(f"The setting `embedding` is `{models.setting}`; the store's own choice outranks it.")


def comparison_lines(found: EmbeddingComparison) -> Iterator[str]:
    """How far two models agree."""
    if found.overlap is None:
        yield inert(
            f"No recent question of `{found.space}` is known; `recollect recall` and `search --explain` keep theirs."
        )
        return
    yield inert(
        f"{found.questions:,} recent questions of `{found.space}`: {found.overlap:.0%} of the nearest ten are the same"
        f" (at least {found.least or 0:.0%})."
    )


def provider_page(report: ProviderReport, terminal: Terminal) -> Iterator[str]:
    """The providers, the tasks and the caps."""
    if not report.providers:
        return
    rows = [
        [
            _name(each.name, terminal),
            each.problem or "ready",
            each.key or "none",
            f"{each.tokens_today:,}",
            f"{each.cost_usd_today:.4f}",
        ]
        for each in report.providers
    ]
    yield from table(["provider", "state", "key from", "tokens today", "US$ today"], rows, terminal)
    yield ""
    tasks = [
        [each.task, _name(each.provider or "no model", terminal), _name(each.model, terminal), inert(each.source)]
        for each in report.tasks
    ]
    yield from table(["task", "provider", "model", "set by"], tasks, terminal)
    yield ""
    yield from cap_lines(report.caps)
    yield f"Prices are of {report.prices_of}; [spend.prices] in the settings has others."


def spend_page(report: SpendReport, terminal: Terminal) -> Iterator[str]:
    """The sums that were asked for, and below them the caps."""
    shown = [name for name in GROUPS if any(getattr(each, name) for each in report.lines)]
    rows = [
        [
            *(_name(getattr(each, name) or "–", terminal) for name in shown),
            f"{each.calls:,}",
            f"{each.input_tokens:,}",
            f"{each.cached_tokens:,}",
            f"{each.output_tokens:,}",
            f"{each.tokens:,}",
            f"{each.cost_usd:.4f}{' +' if each.unpriced else ''}",
        ]
        for each in report.lines
    ]
    if rows:
        yield from table([*shown, "calls", "input", "cached", "output", "counted", "US$"], rows, terminal)
        yield ""
    if any(each.unpriced for each in report.lines):
        yield "+ and calls of models whose price is not known; their tokens count."
    if lost := sum(each.unsettled for each in report.lines):
        yield f"{lost:,} calls were begun and never settled; they count with the most they could have cost."
    yield from cap_lines(report.caps)


def cap_lines(caps: Iterable[SpendCap]) -> Iterator[str]:
    """The caps, a line each."""
    whose = {"day": "a day, in all spaces", "space": "a day, in one space", "session": "one session"}
    for each in caps:
        most = f"{each.cap:,.0f} tokens" if each.unit == "tokens" else f"{each.cap:,.2f} US$"
        spent = f"{each.spent:,.0f}" if each.unit == "tokens" else f"{each.spent:,.4f}"
        yield f"cap for {whose[each.of]}: {most}" + (f", {spent} spent today" if each.of == "day" else "")


def _name(name: str, terminal: Terminal) -> str:
    return inert(name) if terminal.width is None else cut(inert(name), _WIDEST)
