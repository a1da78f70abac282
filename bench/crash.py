"""Whether a killed server loses anything: `python -m bench.crash --kills 200`.

A real process (`bench.crash_child`: the core as a server has it) works for three people in six chats at once,
and is killed with SIGKILL at a random moment: by turns in an upgrade of an older database, while it answers,
folds, extracts facts, and imports a file. The next process starts on what was left; then the browsers send
what they are not sure of again, and every chat has one more turn. What the killed process had promised is
known, since it told each promise the moment it was made. `lost`, `doubled` and `unusable` count what breaks
one; each is also told on standard error. `under_way` counts the kills at which such work really was under way.

A tenth of the kills are of `streamlit run` with three people in Chromium (`bench.crash_served`).
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
    parser.add_argument("--served", type=int, help="how many of them with `streamlit run`; else a tenth")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    started = time.monotonic()
    served = options.kills // 10 if options.served is None else options.served
    result = run(options.kills, options.seed, served)
    result["minutes"] = round((time.monotonic() - started) / 60, 1)
    print(json.dumps(result))


def run(kills: int, seed: int, served: int = 0) -> dict[str, Any]:
    """So many kills, the phases by turns; each round of them is on a database that an older version made."""
    kills -= served
    chance, findings = random.Random(seed), Findings()
    aimed_at, under_way, promises = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        longest = {old: World(Path(folder) / old, old, Findings()).durations() for old in OLD_VERSIONS}
        for first in range(0, kills, len(PHASES)):
            old = OLD_VERSIONS[first // len(PHASES) % len(OLD_VERSIONS)]
            world = World(Path(folder) / f"from kill {first + 1}", old, findings)
            for phase in PHASES[: kills - first]:
                aimed_at[phase] += 1
                under_way.update(world.kill_in(phase, chance, longest[old]))
                world.recover(chance)
            promises += world.close()
            print(f"{sum(aimed_at.values())} kills", findings.counts(), dict(under_way), file=sys.stderr)
        if served:
            from bench.crash_served import kill_served  # here, since it needs a browser

            aimed_at["served"] = served
            under_way += kill_served(served, chance, findings, Path(folder) / "served")
    return {
        "kills": kills + served,
        **findings.counts(),
        "aimed_at": aimed_at,
        "under_way": under_way,
        "promises": promises,
        "seed": seed,
    }


if __name__ == "__main__":
    main()
