"""Places in a YAML file: on which line a key stands, and which key stands there twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml


def line_of(path: Path, keys: Sequence[object]) -> int:
    """Return the line (from 1) of a key, or of the nearest one above it that is there."""
    node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    line = node.start_mark.line if node else 0
    for key in keys:
        child = None
        if isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                if name.value == str(key):
                    line, child = name.start_mark.line, value
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            child = node.value[key]
            line = child.start_mark.line
        if child is None:
            break
        node = child
    return line + 1


def repeated_key(root: yaml.Node | None) -> yaml.ScalarNode | None:
    """Return the first key found twice in one mapping, or nothing."""
    todo, seen = [root] if root else [], set()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # an alias may lead back to where it came from
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            todo += node.value
        elif isinstance(node, yaml.MappingNode):
            names: set[str] = set()
            for name, value in node.value:
                if isinstance(name, yaml.ScalarNode):
                    if name.value in names:
                        return name
                    names.add(name.value)
                todo.append(value)
    return None
