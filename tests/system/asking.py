"""Asks the program about a machine and returns its findings by id."""

from __future__ import annotations

from typing import Any

from configurator.advice.answer import answer
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.finding import Finding
from configurator.texts import say_in

ADAPTERS = {"task": "lora", "model": "meta-llama/Llama-3.1-8B", "framework": "transformers", "context": 2048}
SERVING = {"task": "serving", "model": "meta-llama/Llama-3.1-8B", "framework": "vllm", "context": 4096}


def case_of(machine: dict[str, Any], workload: dict[str, Any] | None = None, **more: Any) -> Case:
    return Case.model_validate({"workload": workload or ADAPTERS, "machine": machine} | more)


def asked(machine: dict[str, Any], workload: dict[str, Any] | None = None, **more: Any) -> dict[str, Finding]:
    findings = answer(case_of(machine, workload, **more), load_catalog()).findings.findings
    assert len({finding.id for finding in findings}) == len(findings), "one entry for every check"
    return {finding.id: finding for finding in findings}


def told(finding: Finding, language: str = "en") -> str:
    say = say_in(language)
    return " | ".join(say(text) for text in (finding.message, finding.why, finding.fix) if text)
