"""Verbs that change the embedding model of a store without a pause.

Vectors of the next model are made beside those that serve, by jobs; recent questions are asked of both; one row says
which of them answers, and the same row leads back. No vector is ever compared with one of another model.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.domain.changes import QueueJob
from recollect.domain.dataclass import replace
from recollect.domain.errors import Conflict, InvalidInput, Misconfigured, NotAllowed, Unsupported
from recollect.domain.origin import Channel
from recollect.engine import CHOICE_SEEN_WITHIN, ServedModels
from recollect.operations import Effect
from recollect.verbs.actor import checked_limit, operation
from recollect.verbs.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from recollect.domain.answers.spending import EmbeddingComparison, EmbeddingModels
    from recollect.domain.meanings import Embedder, EmbeddingChoice, Near

_NEAREST = 10  # texts of each model that are compared
_LONGEST_NAME = 300
_FRESH = timedelta(minutes=1)  # the age of texts that a switch does not wait for


class EmbeddingVerbs(Writing):
    """Embedding models: which serves, prepare, compare, switch, drop."""

    @operation(Effect.READ, name="embeddings.show")
    def embeddings(self) -> EmbeddingModels:
        """Show which embedding model serves, which stands beside it, and how many texts lack a vector of each."""
        from recollect.domain.answers.spending import EmbeddingModels

        if not isinstance(self._engine.inference, ServedModels):
            return EmbeddingModels(self._engine.settings.embedding, "", 0, setting=self._engine.settings.embedding)
        choice, models = self._served()
        return self._shown(choice, models.get().embedder, models.get().beside)

    @operation(Effect.WRITE, name="embeddings.prepare")
    def prepare_embeddings(self, model: str) -> EmbeddingModels:
        """Make vectors of another model beside those that serve, by jobs; nobody is answered by them yet.

        A name is one of `recollect models list`, `hashed`, `provider`, PROVIDER:MODEL/DIMENSION, or a folder.
        """
        choice, models = self._served()
        name, opened = self._openable(model)
        serving = choice.serving or self._embedding_setting()
        if choice.beside and choice.beside != name:
            raise Conflict(
                f"`{choice.beside}` stands beside the model that serves already.",
                code="embedding_beside",
                hint="`recollect embeddings drop` takes it away.",
            )
        if any(opened.model_id == each.model_id for each in self._engine.embedders):
            raise Conflict(f"`{name}` is a model that serves.", code="embedding_serves")
        chosen = replace(choice, serving=serving, beside=name)
        self._choose(chosen, choice, models)
        return self._shown(chosen, models.get().embedder, opened)

    @operation(Effect.READ, name="embeddings.compare")
    def compare_embeddings(self, *, limit: int = 50, space: str | None = None) -> EmbeddingComparison:
        """Ask both models the recent questions of a space, and say how much of their nearest ten they share."""
        from recollect.domain.answers.spending import EmbeddingComparison

        name, most = self._known(space), checked_limit(limit)
        choice, models = self._served()
        serving, beside = models.get().embedder, models.get().beside
        if not choice.beside:
            raise _nothing_beside()
        if serving is None or beside is None:
            raise _not_here(choice.beside if beside is None else choice.serving)
        asked = [each.query for each in self._engine.receipts.recent(name, limit=most) if each.query]
        questions = list(dict.fromkeys(asked))
        shares = [_share(*both) for both in self._nearest(name, serving, beside, questions)]
        found = EmbeddingComparison(name, serving.model_id, beside.model_id, len(shares))
        return replace(found, overlap=round(sum(shares) / len(shares), 4), least=min(shares)) if shares else found

    @operation(Effect.WRITE, name="embeddings.switch")
    def switch_embeddings(self) -> EmbeddingModels:
        """Let the model beside it serve from now on, in every process within seconds. The same again leads back."""
        choice, models = self._served()
        serving, beside = models.get().embedder, models.get().beside
        if not choice.beside:
            raise _nothing_beside()
        if beside is None:
            raise _not_here(choice.beside)
        lacking = self._lacking(beside, written_before=self._engine.clock.now() - _FRESH)
        if lacking:
            raise Conflict(
                f"{lacking:,} texts have no vector of `{choice.beside}` yet.",
                code="embedding_incomplete",
                hint="A server makes them by itself; `recollect jobs run` does so now.",
            )
        turned = replace(choice, serving=choice.beside, beside=choice.serving)
        self._choose(turned, choice, models)
        return self._shown(turned, beside, serving)

    @operation(Effect.WRITE, name="embeddings.drop")
    def drop_embeddings(self) -> EmbeddingModels:
        """Drop the vectors of the model beside the one that serves: no way leads back to it but to make them anew."""
        choice, models = self._served()
        beside = models.get().beside
        if not choice.beside:
            raise _nothing_beside()
        if beside is None:
            raise _not_here(choice.beside)
        serving = "" if choice.serving == self._embedding_setting() else choice.serving
        alone = replace(choice, serving=serving, beside="")
        if self._rehearsed is None:
            self._settle_on(alone, choice, models)
            served = self._engine.vectors.served(beside.model_id, beside.dimension)
            for space in self._engine.store.spaces():
                self._engine.vectors.drop(space.name, beside.model_id)
                if served is not None:
                    served.drop_index(space.name)
        return self._shown(alone, models.get().embedder, None)

    def _served(self) -> tuple[EmbeddingChoice, ServedModels]:
        """The models as the store has chosen them now."""
        models = self._engine.inference
        if not isinstance(models, ServedModels):
            raise Conflict(
                "Models of a whole store are not chosen here.",
                code="embedding_off",
                hint="The setting `embedding` is `off`, or you are bound to a part of a space.",
            )
        models.look()
        return self._engine.vectors.choice(), models

    def _openable(self, model: str) -> tuple[str, Embedder]:
        """A model that this machine has, by its name."""
        from pathlib import Path

        from recollect.assembly import embedder_named

        name = model.strip() if isinstance(model, str) else ""
        if not name or name in ("auto", "off") or len(name) > _LONGEST_NAME:
            raise InvalidInput(f"`{str(model)[:60]}` names no model.", code="invalid_field")
        name = self._embedding_spelled(name)
        if Path(name).is_absolute() and self._caller.channel not in (Channel.LIBRARY, Channel.CLI):
            raise NotAllowed(
                "A model in a folder can be chosen only at the machine that has it.",
                code="embedding_folder",
                hint="`recollect models list` shows the names.",
            )
        try:
            found = embedder_named(self._engine.settings, self._engine.chat, name)  # type: ignore[arg-type]
        except (Misconfigured, Unsupported) as problem:  # nothing of what is configured is wrong: the name is
            raise InvalidInput(problem.message, code="invalid_field", hint=problem.hint) from None
        if found is None:
            raise InvalidInput(f"`{name[:60]}` names no model.", code="invalid_field")
        return name, found

    def _embedding_setting(self) -> str:
        return self._embedding_spelled(self._engine.settings.embedding)

    def _embedding_spelled(self, name: str) -> str:
        """The name of a model as every process of the machine understands it: a folder with its whole path."""
        from pathlib import Path

        from recollect.inference.models import MODELS

        providers = {each.name for each in self._engine.settings.providers}
        known = name in (*MODELS, "auto", "hashed", "provider") or name.partition(":")[0] in providers
        return name if known else str(Path(name).expanduser().absolute())

    def _choose(self, choice: EmbeddingChoice, before: EmbeddingChoice, models: ServedModels) -> None:
        """Choose, and have what is lacking made in every space; once more when every process knows of the choice."""
        if self._rehearsed is not None:
            return
        self._settle_on(choice, before, models)
        later = self._engine.clock.now() + timedelta(seconds=2 * CHOICE_SEEN_WITHIN)
        for space in self._engine.store.spaces():
            now = self._embedding_of(space.name)
            again = replace(self._embedding_of(space.name), key="embed again", due_at=later)
            self._carry_out("embeddings", space.name, QueueJob(now), QueueJob(again))

    def _settle_on(self, choice: EmbeddingChoice, before: EmbeddingChoice, models: ServedModels) -> None:
        if not self._engine.vectors.choose(choice, instead_of=before, at=self._engine.clock.now()):
            raise Conflict("Somebody else has chosen a model meanwhile.", code="embedding_changed", hint="Look again.")
        models.look()

    def _nearest(
        self, space: str, serving: Embedder, beside: Embedder, questions: Sequence[str]
    ) -> list[tuple[Sequence[Near], Sequence[Near]]]:
        """The nearest texts of each question by each model, each by an index of its own vectors."""
        from recollect.recall.vectors.background import VectorIndexes

        engine = self._engine
        both = [VectorIndexes(engine.store, engine.log, engine.vectors, each) for each in (serving, beside)]
        try:
            for each in both if questions else ():
                each.wait(space)
            first, second = both
            return [
                (first.nearest(space, each, limit=_NEAREST), second.nearest(space, each, limit=_NEAREST))
                for each in questions
            ]
        finally:
            for each in both:
                each.close()

    def _shown(self, choice: EmbeddingChoice, serving: Embedder | None, beside: Embedder | None) -> EmbeddingModels:
        from recollect.domain.answers.spending import EmbeddingModels

        return EmbeddingModels(
            choice.serving or self._engine.settings.embedding,
            serving.model_id if serving else "",
            self._lacking(serving) if serving else 0,
            choice.beside,
            beside.model_id if beside else "",
            self._lacking(beside) if beside else 0,
            setting=self._engine.settings.embedding,
        )

    def _lacking(self, embedder: Embedder, *, written_before: datetime | None = None) -> int:
        lacking, spaces = self._engine.vectors.lacking, self._engine.store.spaces()
        return sum(lacking(space.name, embedder.model_id, written_before=written_before) for space in spaces)


def _share(first: Sequence[Near], second: Sequence[Near]) -> float:
    """The share of the nearest that both have; of none on either side, all."""
    ids = [{near.record_id for near in each} for each in (first, second)]
    most = max(map(len, ids))
    return len(ids[0] & ids[1]) / most if most else 1.0


def _not_here(name: str) -> Conflict:
    return Conflict(
        f"`{name}` cannot be opened on this machine.",
        code="embedding_not_here",
        hint="Do it on a machine that has the model; `recollect models list` shows those of this one.",
    )


def _nothing_beside() -> Conflict:
    return Conflict(
        "No model stands beside the one that serves.",
        code="no_embedding_beside",
        hint="`recollect embeddings prepare MODEL` makes one ready.",
    )
