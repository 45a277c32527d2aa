"""Laundering: no way through summaries, merges, reflection, exports, imports and sync gives words more authority.

Every sentence that is told has a word of its own, and the rank of whoever told it. Whatever becomes of it, in this
memory or in another one that it was carried to, nothing that has this word may rank higher.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import Caller, Channel, Memory
from recollect.domain.errors import RecollectError
from recollect.domain.origin import Authority, rank
from recollect.domain.selections import Selection
from tests.support.clock import SteadyClock
from tests.vault.machines import bare_remote

SEQUENCES, BATCHES = 1000, 4
STEPS = 3
OWNER, HOOK = Caller(Channel.LIBRARY, "owner"), Caller(Channel.HOOK, "owner")
AGENT, BOT = Caller(Channel.MCP, "agent"), Caller(Channel.HTTP, "bot")


class Life:
    """Two memories, one space, and the rank under which each word was first told."""

    def __init__(self, one: Memory, other: Memory, space: str, chance: random.Random) -> None:
        self.one, self.other, self.space, self.chance = one, other, space, chance
        self.ranks: dict[str, int] = {}
        self.told = 0

    def word(self, authority: Authority) -> str:
        self.told += 1
        word = f"qz{self.space.replace('-', '')}w{self.told}x"
        self.ranks[word] = rank(authority)
        return word

    def tell(self) -> None:
        """Something new, by somebody, in a way that may be summarised, merged or reflected on."""
        ways: list[Callable[[], object]] = [self.note, self.note, self.prompts, self.output, self.lesson]
        self.chance.choice(ways)()

    def note(self) -> None:
        caller = self.chance.choice([OWNER, AGENT, BOT])
        given = self.chance.choice(["instruction", "fact", "quoted"]) if caller is OWNER else "quoted"
        word = self.word(Authority(given))
        for ending in ("", "!")[: self.chance.choice([1, 2])]:
            self.by(caller).save(
                f"The {word} gate opens at dawn{ending}", authority=given, project="shop", space=self.space
            )

    def prompts(self) -> None:
        caller, authority = self.chance.choice([(HOOK, Authority.FACT), (AGENT, Authority.QUOTED)])
        word = self.word(authority)
        for session in ("a", "b"):
            said = f"The {word} gate opens at dawn."
            self.by(caller).observe("prompt", said, session=session, project="shop", space=self.space)

    def output(self) -> None:
        said = f"We decided that the {self.word(Authority.QUOTED)} gate opens at noon."
        self.by(HOOK).observe("task", said, session="c", project="shop", space=self.space)

    def lesson(self) -> None:
        caller, authority = self.chance.choice([(OWNER, Authority.FACT), (AGENT, Authority.QUOTED)])
        self.by(caller).add_lesson(f"Oil the {self.word(authority)} hinge", project="shop", space=self.space)

    def by(self, caller: Caller) -> Memory:
        return self.one.acting_as(caller)

    # -- ways in which words are made into others, or go elsewhere --------------------------------------------------

    def summarise(self) -> None:
        for session in ("a", "b", "c", "d", "e"):
            self.one.start_session(session, project="shop", space=self.space)
            self.one.end_session(session, space=self.space)
        self.anybody().make_crystal(project="shop", days=0, space=self.space)

    def reflect(self) -> None:
        self.anybody().reflect(apply=True, space=self.space)

    def fill_slots(self) -> None:
        self.anybody().reflect_slots("a", apply=True, space=self.space)

    def merge(self) -> None:
        self.anybody().dedup(apply=True, space=self.space)

    def maintain(self) -> None:
        self.anybody().maintain(scope="full", space=self.space)

    def keep(self) -> None:
        """Whoever keeps what was reflected vouches for it; only a person's word makes a fact of it."""
        caller = self.chance.choice([OWNER, OWNER, AGENT, BOT])
        for item in self.one.review(space=self.space).items:
            kept = self.by(caller).settle(item.path, "keep", space=self.space)
            if caller is OWNER and "reflection" in kept.metadata:
                vouched = [word for word in self.ranks if word in kept.text]
                self.ranks |= {word: max(self.ranks[word], rank(Authority.FACT)) for word in vouched}

    def derive(self) -> None:
        notes = self.one.list(space=self.space).items
        if notes:
            note = self.chance.choice(notes)
            self.anybody().save(f"Noted: {note.text}", derived_from=[note.id], space=self.space)

    def carry(self) -> None:
        self.carried(self.one, self.other)

    def bring_back(self) -> None:
        if self.other._engine.store.space(self.space) is not None:
            self.carried(self.other, self.one)

    def carried(self, source: Memory, goal: Memory) -> None:
        lines = [json.dumps(record) for record in source.export(limit=1000, space=self.space).records]
        caller = self.chance.choice([OWNER, AGENT])
        goal.acting_as(caller).import_(lines, trust=caller is OWNER and self.chance.random() < 0.5, space=self.space)

    def anybody(self) -> Memory:
        return self.by(self.chance.choice([OWNER, OWNER, AGENT, BOT]))

    # -- looking -----------------------------------------------------------------------------------------------------

    def look(self) -> None:
        for memory in (self.one, self.other):
            if memory._engine.store.space(self.space) is not None:
                for text, authority in records(memory, self.space):
                    for word in (word for word in self.ranks if word in text):
                        assert rank(authority) <= self.ranks[word], (self.space, text, authority)


def records(memory: Memory, space: str) -> Iterator[tuple[str, Authority]]:
    """The words and the authority of every note and slot."""
    for note in memory._engine.store.notes(space, Selection(), before=None, limit=1000):
        yield json.dumps([note.title, note.text, note.tags], ensure_ascii=False), note.authority
    for slot in memory._engine.desk.slots(space):
        yield slot.text, slot.authority


WAYS = (
    Life.summarise, Life.reflect, Life.fill_slots, Life.merge, Life.maintain, Life.keep, Life.derive, Life.carry,
    Life.bring_back,
)  # fmt: skip


def lived(life: Life, ways: tuple[Callable[[Life], None], ...] = WAYS, steps: int = STEPS) -> int:
    """Tell something and do something with it, a few times; how many steps came to pass."""
    done = 0
    for _ in range(steps):
        life.tell()
        try:
            life.chance.choice(ways)(life)
            done += 1
        except RecollectError:
            pass  # refused: whoever asked ranks too low
    life.look()
    return done


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_thousand_ways_through_memory_raise_nobody(tmp_path: Path, batch: int) -> None:
    done, seeds = 0, range(batch, SEQUENCES, BATCHES)
    with (
        Memory(store=":memory:", home=tmp_path / "a", clock=SteadyClock()) as one,
        Memory(store=":memory:", home=tmp_path / "b", clock=SteadyClock()) as other,
    ):
        for seed in seeds:
            done += lived(Life(one, other, f"life-{seed}", random.Random(seed)))
    assert done > len(seeds) * STEPS / 2


@pytest.mark.parametrize("seed", range(3))
def test_nor_on_any_other_store(memory: Memory, tmp_path: Path, seed: int) -> None:
    with Memory(store=":memory:", home=tmp_path, clock=SteadyClock()) as other:
        lived(Life(memory, other, "life", random.Random(seed)))


@pytest.mark.parametrize("seed", range(3))
def test_nor_by_way_of_another_machine(tmp_path: Path, seed: int) -> None:
    remote, synced = bare_remote(tmp_path / "remote.git"), list[int]()

    def sync(life: Life) -> None:
        life.one.sync(remote=str(remote), space=life.space)
        life.other.sync(remote=str(remote), space=life.space)
        life.one.sync(space=life.space)
        synced.append(life.told)

    with Memory(home=tmp_path / "a") as one, Memory(home=tmp_path / "b") as other:
        for memory, name in ((one, "a"), (other, "b")):
            memory.open_vault(str(tmp_path / f"vault-{name}"), space="life")
        lived(Life(one, other, "life", random.Random(seed)), (*WAYS, sync, sync, sync, sync), steps=8)
    assert synced
