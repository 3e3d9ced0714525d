"""All questions, declared step by step. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.domain.workload import ADAPTERS
from configurator.gui import choices as allowed
from configurator.gui import image_answers as image
from configurator.gui import machine_answers as machine
from configurator.gui.question import MACHINE as M
from configurator.gui.question import WORKLOAD as W
from configurator.gui.question import Question


def _task(*names: str) -> Callable[[Project], bool]:
    return lambda project: project.workloads[0].workload.task in names


def _trains(project: Project) -> bool:
    return project.workloads[0].workload.trains


def _runs(project: Project) -> bool:
    return not _trains(project)


def _cards(project: Project) -> bool:
    return bool(project.machines[0].machine.gpus)


def _reads(project: Project) -> bool:
    return not allowed.sees(project)


def _answers(project: Project) -> bool:
    return _runs(project) and _reads(project)


def _batches(project: Project) -> bool:
    return _trains(project) or allowed.sees(project)


def _learns_text(project: Project) -> bool:
    return _trains(project) and _reads(project)


def _unified(project: Project) -> bool:
    return project.machines[0].machine.system is not None


def _several(project: Project) -> bool:
    return _cards(project) and project.machines[0].machine.gpu_count > 1


USE = (
    Question("customer.name", "Customer", "text"),
    Question("number", "Number", "text", help="Stands on the quote and names the file."),
    Question("purpose", "Purpose", "text", help="In the customer's words; opens the quote."),
    Question(
        f"{W}.task", "Task", "chips", optional=False,
        choices=allowed.fixed(
            ("inference", "one user"), ("serving", "many users"), ("lora", "LoRA"), ("qlora", "QLoRA"),
            ("full", "full training"), ("pretrain", "pre-training"),
        ),
    ),
)  # fmt: skip
MODEL = (
    Question(
        f"{W}.model", "Model", "search", choices=allowed.models, optional=False,
        help="Three letters are enough. The catalogue knows it by its Hugging Face name.",
    ),
    Question(f"{W}.framework", "Framework", "search", choices=allowed.frameworks),
)  # fmt: skip
LOAD = (
    Question(f"{W}.weights", "Weights", "chips", choices=allowed.weights),
    Question(
        f"{W}.context", "Context", "number", "tokens", "The longest text the model sees at once.", shown=_reads
    ),
    Question(f"{W}.concurrency", "Requests at once", "number", shown=_task("serving")),
    Question(f"{W}.growth", "Planned growth", "decimal", "factor", shown=_task("serving")),
    Question(
        f"{W}.resolution", "Resolution", "text", "pixels", shown=allowed.sees,
        read=image.resolution, write=image.with_resolution, help="Width x height, e.g. 640 x 640.",
    ),
    Question(
        f"{W}.classes", "Classes", "number", shown=allowed.sees,
        help="Kinds of things to tell apart; matters where every pixel is judged.",
    ),
    Question(f"{W}.kv_cache", "KV cache", "chips", choices=allowed.caches, shown=_answers),
    Question(f"{W}.batch", "Batch", "number", "per card", shown=_batches),
    Question(f"{W}.grad_accum", "Accumulated steps", "number", shown=_trains),
    Question(f"{W}.lora.rank", "LoRA rank", "number", shown=_task(*ADAPTERS)),
    Question(
        f"{W}.checkpointing", "Checkpointing", "chips", shown=_trains,
        choices=allowed.fixed((False, "off"), (True, "every layer"), ("unsloth", "Unsloth")),
        help="Computes layers twice and so keeps less of them.",
    ),
    Question(
        f"{W}.optimizer", "Optimizer", "chips", shown=_trains,
        choices=allowed.fixed(
            ("adamw", "AdamW"), ("adamw8bit", "AdamW, 8 bit"), ("paged_adamw8bit", "paged, 8 bit"),
            ("adafactor", "Adafactor"), ("sgd", "SGD"),
        ),
    ),
    Question(
        f"{W}.attention", "Attention", "chips",
        choices=allowed.fixed(("flash", "Flash"), ("sdpa", "SDPA"), ("eager", "eager")),
    ),
)  # fmt: skip
DATA = (
    Question(f"{W}.dataset.tokens", "Data set", "number", "tokens", shown=_learns_text),
    Question(f"{W}.dataset.samples", "Examples", "number", shown=_trains),
    Question(f"{W}.dataset.size_gb", "Size on disk", "decimal", "GB"),
    Question(f"{W}.input_tokens", "Usual question", "number", "tokens", shown=_answers),
    Question(f"{W}.output_tokens", "Usual answer", "number", "tokens", shown=_answers),
)
GPUS = (
    Question(
        f"{M}.gpus.0.gpu", "Card or system", "search", choices=allowed.devices, optional=False,
        read=machine.device, write=machine.with_device,
        help="A graphics card, or a system with unified memory.",
    ),
    Question(
        f"{M}.gpus.0.count", "Number of cards", "number", shown=_cards, optional=False,
        write=machine.with_count,
    ),
    Question(
        "workloads.0.plan", "Layout", "chips", shown=_several, choices=allowed.layouts,
        read=machine.layout, write=machine.with_layout,
        help="Memory of several cards never adds up by itself: a copy needs the whole model on each.",
    ),
    Question(
        f"{M}.display_on_gpu", "Monitors on", "chips", shown=_cards, choices=allowed.monitors,
        help="No card chosen: the processor's own graphics, or no monitor.",
    ),
    Question(
        f"{M}.gpu_share", "Share for the GPU", "chips", shown=_unified,
        choices=allowed.fixed((0.65, "65 %"), (0.75, "75 %"), (0.85, "85 %"), (0.9, "90 %")),
        help="Of the unified memory. None chosen: the system's default, 75 % on a Mac with more than 36 GB.",
    ),
    Question(
        f"{M}.os", "Operating system", "chips",
        choices=allowed.fixed(
            ("windows", "Windows"), ("wsl2", "WSL 2"), ("linux", "Linux"), ("macos", "macOS")
        ),
    ),
    Question(f"{M}.power_limit_w", "Power limit", "number", "W per card", shown=_cards),
)  # fmt: skip
OTHER = (
    Question("machines.0.also.cad", "CAD", "bool", help="SolidWorks, Inventor and the like.", optional=False),
    Question(
        "machines.0.also.render", "Rendering", "chips",
        choices=allowed.fixed(("blender", "Blender"), ("v-ray", "V-Ray"), ("octane", "Octane")),
    ),
)  # fmt: skip
MACHINE = (
    Question(f"{M}.cpu", "Processor", "search", choices=allowed.parts("cpus"), read=machine.part("cpu")),
    Question(f"{M}.board", "Mainboard", "search", choices=allowed.parts("boards"), read=machine.part("board")),
    Question(f"{M}.ram_gb", "RAM", "number", "GB"),
    Question(f"{M}.psu", "Power supply", "search", choices=allowed.parts("psus"), read=machine.part("psu")),
    Question(f"{M}.case", "Case", "search", choices=allowed.parts("cases"), read=machine.part("case")),
    Question(f"{M}.cooler", "Cooler", "search", choices=allowed.parts("coolers"), read=machine.part("cooler")),
    Question(f"{M}.ups", "UPS (battery)", "search", choices=allowed.parts("ups"), read=machine.part("ups")),
    Question(
        f"{M}.mains.amps", "Fuse of the circuit", "chips",
        choices=allowed.fixed((10, "10 A"), (13, "13 A"), (16, "16 A"), (32, "32 A")),
    ),
)  # fmt: skip
QUOTE = (
    Question(
        "language", "Language of the quote", "chips", optional=False,
        choices=allowed.fixed(("de", "Deutsch"), ("en", "English")),
    ),
    Question("valid_days", "Valid for", "number", "days", optional=False),
)  # fmt: skip


def price_questions(project: Project) -> tuple[Question, ...]:
    """Return one question per line of the quote: its price. Empty is a question, never zero."""
    return tuple(
        Question(f"lines.{place}.unit_price", message("{text}", text=line.text), "decimal", project.currency)
        for place, line in enumerate(project.lines)
    )
