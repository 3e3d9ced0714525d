"""The moment of a pass that is the peak for so many images of such a size."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.images import Moment, Pass


@dataclass(frozen=True, slots=True)
class Load:
    """Images at once, million pixels of each, and classes beyond those of the recorded run."""

    images: float
    megapixels: float
    classes: int = 0

    def of(self, moment: Moment, per_class: float = 0.0) -> float:
        """Return the bytes of a moment that grow with the images."""
        each = moment.per_image + (moment.per_megapixel + self.classes * per_class) * self.megapixels
        return max(0.0, self.images * each)


def peak(one: Pass, load: Load, states: float = 1.0) -> Moment:
    """Return the moment with the most live memory; `states` is the share of gradients a rank keeps."""
    return max(
        (Moment(*row) for row in one.moments),
        key=lambda m: states * m.gradients + m.fixed + load.of(m, one.per_class),
    )
