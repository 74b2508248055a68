"""Small logs in the formats of other tools, written by hand, with the figures that such a tool would report."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any


def inspect_log(
    values: Sequence[tuple[str, int, Mapping[str, Json]]],
    *,
    accuracy: float,
    task: str = "riddles",
    model: str = "mock/one",
    reducer: str | None = None,
    **header: Json,
) -> dict[str, Json]:
    """A log of Inspect: `(id, epoch, score of each scorer)`; its results report the first scorer's accuracy."""
    scorer = next(iter(values[0][2]))
    reported = {"name": scorer, "scorer": scorer, "metrics": {"accuracy": {"name": "accuracy", "value": accuracy}}}
    samples = [
        {
            "id": item,
            "epoch": epoch,
            "input": f"Riddle {item}?",
            "target": f"answer {item}",
            "scores": {name: {"value": value, "answer": "x"} for name, value in scores.items()},
        }
        for item, epoch, scores in values
    ]
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": task, "model": model, "task_args": {}},
        "results": {"scores": [reported | ({"reducer": reducer} if reducer else {})]},
        "samples": samples,
        **header,
    }


def eval_archive(log: Mapping[str, Json], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The same log as Inspect packs it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as file:
        for sample in log["samples"]:
            file.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        file.writestr("header.json", json.dumps({key: value for key, value in log.items() if key != "samples"}))
    return packed.getvalue()


def lm_eval_samples(values: Sequence[float], its_filter: str = "none", metric: str = "acc", **more: Json) -> str:
    """Samples as lm-evaluation-harness logs them, one filter of one metric."""
    return "".join(
        json.dumps(
            {
                "doc_id": number,
                "doc": {"q": f"Question {number}?"},
                "target": "B",
                "arguments": {},
                "resps": [["B"]],
                "filtered_resps": ["B"],
                "filter": its_filter,
                "metrics": [metric, *more],
                "doc_hash": f"{number:x}",
                "target_hash": "b",
                metric: value,
                **more,
            }
        )
        + "\n"
        for number, value in enumerate(values)
    )


def lm_eval_results(task: str, model: str, figures: Mapping[str, float]) -> str:
    """The means that lm-evaluation-harness writes beside its samples."""
    return json.dumps({"results": {task: dict(figures)}, "n-shot": {task: 0}, "model_name": model, "configs": {}})


def promptfoo_output(
    outcomes: Mapping[tuple[str, str], Sequence[Json]], tests: Sequence[Mapping[str, Json]]
) -> dict[str, Json]:
    """Output of promptfoo: results of each (prompt, provider), one a test; None is an error."""
    prompts, results = [], []
    for prompt_index, ((label, provider), passed) in enumerate(outcomes.items()):
        counts = {name: passed.count(value) for name, value in (("Pass", True), ("Fail", False), ("Error", None))}
        metrics = {f"test{name}Count": count for name, count in counts.items()}
        prompts.append({"raw": label, "label": label, "provider": provider, "metrics": metrics})
        results += [
            {
                "promptIdx": prompt_index,
                "testIdx": test_index,
                "success": bool(success),
                "score": float(bool(success)),
                "failureReason": 2 if success is None else int(not success),
                "namedScores": {"tone": 0.5},
                "testCase": test,
                "vars": test.get("vars"),
                "prompt": {"label": label},
                "provider": {"id": provider, "label": ""},
            }
            for test_index, (test, success) in enumerate(zip(tests, passed, strict=True))
        ]
    stats = {"successes": sum(1 for result in results if result["success"])}
    return {
        "evalId": "eval-1",
        "results": {"version": 3, "prompts": prompts, "results": results, "stats": stats},
    }


def evals_log(matches: Mapping[int, bool], *, accuracy: float | None, model: str = "own/one", name: str = "own") -> str:
    """A log of OpenAI evals, with a match for each sample; None leaves the final report out."""
    spec = {"completion_fns": [model], "eval_name": f"{name}.dev.v0", "base_eval": name, "split": "dev", "run_id": "r"}
    rows: list[dict[str, Json]] = [{"spec": spec}]
    rows += [{"final_report": {"accuracy": accuracy}}] if accuracy is not None else []
    for number, (sample, correct) in enumerate(matches.items()):
        data = {"correct": correct, "expected": str(sample), "picked": None}
        rows.append(
            {"run_id": "r", "event_id": number, "sample_id": f"{name}.dev.{sample}", "type": "match", "data": data}
        )
    return "".join(json.dumps(row) + "\n" for row in rows)


def written(folder: Path, name: str, content: str | bytes | Mapping[str, Json]) -> str:
    """Write a file; the path, as a user would give it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)
