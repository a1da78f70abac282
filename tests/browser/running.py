"""chatmem as a person runs it: `streamlit run streamlit_app.py`, on a port and a database of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 90


class RunningApp:
    """One server process. `kill` ends it as a power cut would; `start` brings it back at the same address."""

    def __init__(self, folder: Path, port: int, secrets: Path | None = None, **environment: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.database = folder / "chat.db"
        self.log = folder / "log.txt"
        self.environment = {
            **os.environ,
            # Empty, so that neither the tester's own environment nor their .env has a say.
            **dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "MODEL_NAME", "SUMMARY_MODEL_NAME"), ""),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "CHATMEM_TEACHING_PACE": "0.005",
            "CHATMEM_IDENTITY": "browser",
            **environment,
        }
        self._command = [
            sys.executable, "-m", "streamlit", "run", "streamlit_app.py", f"--server.port={port}",
            "--server.address=127.0.0.1", "--server.headless=true", "--server.fileWatcherType=none",
        ]  # fmt: skip
        if secrets:
            self._command.append(f"--secrets.files={secrets}")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> RunningApp:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2).close()
            except OSError:
                time.sleep(0.1)
            else:
                return self
        pytest.fail(f"the app did not start:\n{self.log.read_text(errors='replace')}")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process and process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=20)

    @property
    def errors(self) -> str:
        """What Python complained about, in the server's log."""
        text = self.log.read_text(errors="replace")
        return text[text.index("Traceback") :] if "Traceback" in text else ""
