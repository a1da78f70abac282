"""Whether a killed server loses anything: `python -m bench.crash --kills 200`.

A real process (`bench.crash_child`: the core as a server has it) works for three people in six chats at once,
and is killed with SIGKILL at a random moment: by turns in an upgrade of an older database, while it answers,
folds, extracts facts, and imports a file. The next process starts on what was left; then the browsers send
what they are not sure of again, and every chat has one more turn. What the killed process had promised is
known, since it told each promise the moment it was made. `lost`, `doubled` and `unusable` count what breaks
one; each is also told on standard error. `under_way` counts the kills at which such work really was under way.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.crash_checks import Findings
from bench.crash_world import OLD_VERSIONS, PHASES, World


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    started = time.monotonic()
    result = run(options.kills, options.seed)
    result["minutes"] = round((time.monotonic() - started) / 60, 1)
    print(json.dumps(result))


def run(kills: int, seed: int, phases: tuple[str, ...] = PHASES) -> dict[str, Any]:
    """So many kills, the phases by turns; each round of them is on a database that an older version made."""
    chance, findings = random.Random(seed), Findings()
    aimed_at, under_way, promises = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        longest = {old: World(Path(folder) / old, old, Findings()).durations() for old in OLD_VERSIONS}
        for first in range(0, kills, len(phases)):
            old = OLD_VERSIONS[first // len(phases) % len(OLD_VERSIONS)]
            world = World(Path(folder) / f"from kill {first + 1}", old, findings)
            for phase in phases[: kills - first]:
                aimed_at[phase] += 1
                under_way.update(world.kill_in(phase, chance, longest[old]))
                world.recover(chance)
            promises += world.close()
            print(f"{sum(aimed_at.values())} kills", findings.counts(), dict(under_way), file=sys.stderr)
    return {
        "kills": kills, **findings.counts(), "aimed_at": aimed_at, "under_way": under_way, "promises": promises,
        "seed": seed,
    }  # fmt: skip


if __name__ == "__main__":
    main()
