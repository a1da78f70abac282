"""A model's server for many readers at once: `python -m bench.crowd_model` prints its port and serves.

One thread, Chat Completions only. Every answer has its first token after `FIRST_TOKEN` seconds and one every
`PER_TOKEN` seconds from then on. A reply echoes the mark of its question, so that it can be told whose it is.
`GET /latencies` tells how long each question's first token really took here, since a busy machine is late.
"""

from __future__ import annotations

import asyncio
import json
import re
import time

from bench.setup import SUMMARY_TEXT

FIRST_TOKEN, PER_TOKEN = 0.3, 1 / 40
REPLY_TOKENS = 120

PROSE = "Tomatoes like **six hours** of sun a day, and a soil that is loose and never dry for long;"

ASKED = re.compile(r"ask(\d+)x(\d+)x")
"""The mark in a question: whose, and which. The reply opens with `answer…` and closes with `end…`."""
SAID = re.compile(r'<message n="(\d+)" role="user">(.*?)</message>', re.DOTALL)
FACT = re.compile(r"My cat number \d+ is called \w+")

_latencies: dict[str, float] = {}


def question(person: int, number: int) -> str:
    """One in three tells something that is worth remembering."""
    told = f" My cat number {person} is called Momo{number}." if number % 3 == 0 else ""
    return f"I was thinking about the garden again.{told} What do tomatoes want? ask{person}x{number}x"


def reply_tokens(mark: str) -> list[str]:
    words = [f"answer{mark}"]
    while len(words) < REPLY_TOKENS - 1:
        words.extend(PROSE.split())
        words.append("\n\n- and")
    return [words[0], *(f" {word}" for word in words[1 : REPLY_TOKENS - 1]), f" end{mark}"]


def answer(messages: list[dict[str, str]]) -> tuple[str, list[str]]:
    """(the mark of a question, or nothing for a helper's task; the tokens)."""
    last, rules = messages[-1]["content"], messages[0]["content"]
    if "<transcript>" not in last:
        mark = "{}x{}x".format(*ASKED.findall(last)[-1])
        return mark, reply_tokens(mark)
    if "<known>" in last:
        return "", re.findall(r"\s*\S+", json.dumps({"operations": _facts(last)}))
    if rules.startswith("Name this chat"):
        return "", ["The", " garden"]
    number, said = SAID.findall(last)[0]
    pins = f"<pins>\n[{number}] {said[:40]}\n</pins>"
    return "", re.findall(r"\s*\S+", f"<summary>\n{SUMMARY_TEXT}\n</summary>\n{pins}")


def _facts(transcript: str) -> list[dict[str, object]]:
    found = ((int(number), FACT.search(said)) for number, said in SAID.findall(transcript))
    return [
        {
            "op": "add",
            "kind": "profile",
            "text": f"{told[0]}.",
            "quote": told[0],
            "message": number,
            "target": None,
        }
        for number, told in found
        if told
    ]


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if head.startswith("GET"):
            body = json.dumps(_latencies).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        else:
            length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
            raw = await reader.readexactly(int(length[1]) if length else 0)
            await _stream(writer, json.loads(raw), time.monotonic())
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass  # whoever asked has left
    finally:
        writer.close()


async def _stream(writer: asyncio.StreamWriter, body: dict[str, list[dict[str, str]]], asked: float) -> None:
    mark, tokens = answer(body["messages"])
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
        b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    writer.write(_event({"role": "assistant", "content": ""}))
    for number, token in enumerate(tokens):
        # By the clock, not by sleeping so long each time: a late token does not make the later ones late.
        await asyncio.sleep(max(0.0, asked + FIRST_TOKEN + number * PER_TOKEN - time.monotonic()))
        if writer.is_closing():
            return
        writer.write(_event({"content": token}))
        if not number and mark:
            _latencies[mark] = time.monotonic() - asked
    writer.write(_event({}, "stop"))
    used = {"prompt_tokens": 500, "completion_tokens": len(tokens), "total_tokens": 500 + len(tokens)}
    writer.write(_event(None, usage=used) + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")


def _event(delta: dict[str, str] | None, finish: str | None = None, usage: dict[str, int] | None = None) -> bytes:
    """A chunk as OpenAI writes it, all its fields included: what parsing costs depends on them."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    frame = {
        "id": "chatcmpl-BwQxyC5XkPIbyHkNHtYKmrXB2lE3V", "object": "chat.completion.chunk", "created": 1765000000,
        "model": "bench", "service_tier": "default", "system_fingerprint": "fp_34a54ae93c",
        "choices": [] if delta is None else [choice], "usage": usage, "obfuscation": "8fJ2aQ",
    }  # fmt: skip
    return _chunk(f"data: {json.dumps(frame)}\n\n".encode())


def _chunk(raw: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(raw), raw)


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
