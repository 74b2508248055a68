"""The least that a runner of prompts can be: it reads them, asks, reads the letter, and keeps a row of SQLite for each.

    python least_runner.py BASE_URL IN_FLIGHT PATTERN

It perturbs nothing, retries nothing, resumes nothing and says next to nothing: what a tool takes beyond its time is the
price of what the tool does besides. Prints how many answers were right.
"""

import asyncio
import json
import re
import sqlite3
import sys
from pathlib import Path

import aiohttp
import orjson

PROMPTS, STORE = Path("prompts.jsonl"), Path("least.db")


async def ask_all(prompts: list[dict[str, str]], base_url: str, in_flight: int, pattern: re.Pattern[str]) -> int:
    """Ask every prompt; how many were answered rightly."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
    left = iter(enumerate(prompts))
    passed = 0
    with sqlite3.connect(STORE) as store:
        store.execute("CREATE TABLE results (prompt INTEGER PRIMARY KEY, reply TEXT, passed INTEGER)")

        async def worker(session: aiohttp.ClientSession) -> None:
            nonlocal passed
            for number, prompt in left:
                message = {"role": "user", "content": prompt["input"]}
                body = orjson.dumps({"model": "m", "messages": [message], "temperature": 0})
                async with session.post(f"{base_url}/chat/completions", data=body, headers=headers) as response:
                    reply = orjson.loads(await response.read())["choices"][0]["message"]["content"]
                found = pattern.search(reply)
                right = found is not None and found[1] == prompt["target"]
                passed += right
                store.execute("INSERT INTO results VALUES (?, ?, ?)", (number, reply, right))

        connector = aiohttp.TCPConnector(limit=in_flight)
        async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as group:
            for _ in range(in_flight):
                group.create_task(worker(session))
    return passed


if __name__ == "__main__":
    base_url, in_flight, pattern = sys.argv[1:]
    prompts = [json.loads(line) for line in PROMPTS.read_text("utf-8").splitlines()]
    print(asyncio.run(ask_all(prompts, base_url, int(in_flight), re.compile(pattern))))
