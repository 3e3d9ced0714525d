"""The resolution of images, written as people write it: 640 x 640. No Qt."""

from __future__ import annotations

import re
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.gui.edit import with_value
from configurator.gui.question import WORKLOAD

_SIZE = re.compile(r"(\d{1,5})\s*[x×*]\s*(\d{1,5})", re.IGNORECASE)


def resolution(project: Project) -> str | None:
    """Return the resolution as text; None: not answered."""
    found = project.workloads[0].workload.resolution
    return f"{found[0]} x {found[1]}" if found else None


def with_resolution(project: Project, value: Any, catalog: Catalog) -> Project:
    """Return the project with a resolution; empty takes the answer back. Raises BadInput."""
    text = str(value or "").strip()
    match = _SIZE.fullmatch(text)
    if text and not match:
        raise BadInput(message("a resolution is width x height in pixels, e.g. 640 x 640"))
    size = (int(match[1]), int(match[2])) if match else None
    return with_value(project, f"{WORKLOAD}.resolution", size)
