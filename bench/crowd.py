"""Many people chatting at once: `python -m bench.crowd --people 100`.

A real `streamlit run` with folds and extraction on, a model's server that streams 40 tokens a second, and people
who speak Streamlit's websocket protocol, each of the three in a process of its own; beside it a plain
`st.write_stream` app with the same people and the same model (`plain_…`). Each person asks `--turns` questions,
reads the whole reply each time and thinks for 1 to 3 s. First there is one person, then all of them.

`ttft_added_p95_s` is from a question's sending to the first piece of its reply on the page, less what the model's
server took for its first token. `lost` are questions without a whole reply: in the database, or not on the page
within a minute. `wrong_chat` are replies in another chat or tab than their question. `errors` are errors on pages,
tabs that broke, and lines of the server's log that tell of an error. `cpu_cores` is the app's CPU time over the
wall's, of `machine_cores`, which model and people share; `mb_total` its resident memory at the peak and
`mb_per_person` what each person added to that of one. `background_s` is how long after the last reply the
background work was at its end.

With `--minutes` people come back in new tabs, with new chats, until the time is up; memory is told every minute.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.crowd_checks import Stored, complaints, settle
from bench.crowd_model import PER_TOKEN, REPLY_TOKENS
from bench.start import ROOT, streamlit

ALONE_TURNS = 3
SAMPLE_S = 0.5
APPS = {"": "streamlit_app.py", "plain_": "bench/plain_app.py"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=0.0, help="a soak of so long, without the plain app")
    parser.add_argument("--only", choices=("ours", "plain"), help="one of the two apps")
    options = parser.parse_args()
    result: dict[str, Any] = {"people": options.people, "turns": options.turns, "machine_cores": os.cpu_count()}
    for prefix, script in APPS.items():
        if options.only == ("plain" if not prefix else "ours") or (prefix and options.minutes):
            continue
        figures = measure(script, options.people, options.turns, options.minutes)
        result |= {f"{prefix}{name}": value for name, value in figures.items()}
    if "plain_cpu_ms_per_turn" in result and "cpu_ms_per_turn" in result:
        result["cpu_ratio"] = round(result["cpu_ms_per_turn"] / result["plain_cpu_ms_per_turn"], 2)
    print(json.dumps(result))


def measure(script: str, people: int, turns: int, minutes: float) -> dict[str, Any]:
    """One app, with one person and then with all of them."""
    ours = script == APPS[""]
    with tempfile.TemporaryDirectory() as folder, model() as (address, model_pid):
        database = Path(folder) / "bench.db"
        environment = {
            "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": "bench", "MODEL_NAME": "big",
            "SUMMARY_MODEL_NAME": "small", "DATABASE_URL": f"sqlite:///{database}", "CHATMEM_DAILY_TOKENS": "0",
            "CHATMEM_IDENTITY": "browser", "CHATMEM_LANGUAGE": "en", "CHATMEM_PRESET": "classic",
        }  # fmt: skip
        with (Path(folder) / "log").open("w+") as log, streamlit(script, log, **environment) as (port, pid):
            page = f"ws://127.0.0.1:{port}/_stcore/stream"
            told = Path(folder) / "seen.json"
            alone = heard(visitors(page, told, 1, ALONE_TURNS, first=0), told)
            watched = Watched({"": pid, "model_": model_pid}, tells=bool(minutes))
            crowd = visitors(page, told, people, turns, seconds=minutes * 60)
            watched.processes["clients_"] = psutil.Process(crowd.pid)
            watched.until_ended(crowd)
            seen = heard(crowd, told)
            result = watched.figures(people, len(seen["turns"]))
            if ours:
                result["background_s"] = settle(database)
        latencies: dict[str, float] = json.load(urllib.request.urlopen(f"{address}/latencies"))
        errors = seen["errors"] + complaints(Path(folder) / "log")
        unanswered = sum(1 for turn in seen["turns"] if turn["whole"] is None)
        stored = Stored.read(database, seen["turns"]) if ours else Stored()
    for error in sorted(set(errors))[:10]:
        print(error, file=sys.stderr)
    return {
        **added(seen, latencies, ""),
        "lost": max(stored.lost, unanswered), "wrong_chat": stored.wrong_chat + seen["wrong_chat"],
        "errors": len(errors), "answered": len(seen["turns"]) - unanswered, **result,
        **added(alone, latencies, "alone_"), "load_p95_s": p95(seen["load_s"]),
        "stream_late_p95_s": late(seen), "reruns_per_turn": round(seen["reruns"] / len(seen["turns"]), 1),
        "messages_per_turn": round(seen["messages"] / len(seen["turns"]), 1),
        **({"folds": stored.folds, "facts": stored.facts} if ours else {}),
    }  # fmt: skip


def added(seen: dict[str, Any], latencies: dict[str, float], prefix: str) -> dict[str, float | None]:
    """What the app adds to the model's own time to the first token."""
    waits = [
        turn["first"] - latencies[f"{turn['person']}x{turn['number']}x"]
        for turn in seen["turns"]
        if turn["first"] is not None
    ]
    return {
        f"{prefix}ttft_added_p95_s": p95(waits),
        f"{prefix}ttft_added_median_s": round(statistics.median(waits), 3) if waits else None,
    }


def late(seen: dict[str, Any]) -> float | None:
    """From the first piece on the page to a whole reply and a free composer, less what the model took for it."""
    streaming = (REPLY_TOKENS - 1) * PER_TOKEN
    return p95(
        [t["whole"] - t["first"] - streaming for t in seen["turns"] if None not in (t["whole"], t["first"])]
    )


def p95(values: list[float]) -> float | None:
    return round(sorted(values)[int(0.95 * (len(values) - 1) + 0.5)], 3) if values else None


# --- processes ------------------------------------------------------------------------------------


@contextmanager
def model() -> Iterator[tuple[str, int]]:
    """The model's server: its address and its process's id."""
    command = [sys.executable, "-m", "bench.crowd_model"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{int(server.stdout.readline())}", server.pid
        server.terminate()


def visitors(
    page: str, seen: Path, people: int, turns: int, first: int = 1, seconds: float = 0.0
) -> subprocess.Popen[bytes]:
    """What they saw goes to a file: a pipe would be full before anybody reads it."""
    options = [f"--people={people}", f"--turns={turns}", f"--first={first}", f"--seconds={seconds}"]
    command = [sys.executable, "-m", "bench.crowd_client", page, str(seen), *options]
    return subprocess.Popen(command, cwd=ROOT)


def heard(crowd: subprocess.Popen[bytes], seen: Path) -> dict[str, Any]:
    """What the people saw, when they have left."""
    assert crowd.wait() == 0, "the people's process failed"
    return json.loads(seen.read_text())  # type: ignore[no-any-return]


class Watched:
    """CPU time of the processes, and the app's memory, from now on."""

    def __init__(self, pids: dict[str, int], tells: bool) -> None:
        self.processes = {name: psutil.Process(pid) for name, pid in pids.items()}
        self._tells = tells
        self._started = time.monotonic()
        self._before = {name: _seconds(process) for name, process in self.processes.items()}
        self._after: dict[str, float] = {}
        self._memory: list[tuple[float, float]] = []
        self._threads = 0
        self._sample()

    def until_ended(self, crowd: subprocess.Popen[bytes]) -> None:
        told = time.monotonic()
        while True:
            try:
                crowd.wait(SAMPLE_S)
            except subprocess.TimeoutExpired:
                pass
            else:
                break
            self._sample()
            if self._tells and time.monotonic() - told >= 60:
                told += 60
                minute, mb = self._memory[-1]
                print(f"{minute / 60:5.1f} min {mb:7.1f} MB {self._threads} threads", file=sys.stderr, flush=True)

    def _sample(self) -> None:
        for name, process in self.processes.items():
            self._after[name] = _seconds(process)
        app = self.processes[""]
        self._memory.append((time.monotonic() - self._started, app.memory_info().rss / 2**20))
        self._threads = app.num_threads()

    def figures(self, people: int, turns: int) -> dict[str, Any]:
        wall = time.monotonic() - self._started
        spent = {name: after - self._before.get(name, 0.0) for name, after in self._after.items()}
        sizes = [mb for _, mb in self._memory]
        result: dict[str, Any] = {f"{name}cpu_cores": round(seconds / wall, 2) for name, seconds in spent.items()}
        result["cpu_ms_per_turn"] = round(spent[""] / turns * 1000, 1)
        result["mb_total"], result["mb_alone"] = round(max(sizes), 1), round(sizes[0], 1)
        result["mb_per_person"] = round((max(sizes) - sizes[0]) / people, 2)
        result["wall_s"] = round(wall, 1)
        if self._tells:
            quarter = len(sizes) // 4
            times, later = zip(*self._memory[quarter:], strict=True)
            result["mb_first_quarter"] = round(statistics.mean(sizes[:quarter]), 1)
            result["mb_last_quarter"] = round(statistics.mean(sizes[-quarter:]), 1)
            result["mb_growth_per_hour"] = round(statistics.linear_regression(times, later).slope * 3600, 1)
        return result


def _seconds(process: psutil.Process) -> float:
    """CPU seconds so far; 0 for a process that has ended."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


if __name__ == "__main__":
    main()
