"""A model of which only the size of all its files together is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from configurator.domain.architecture import Architecture, Stored
from configurator.domain.tensor import Role, Tensor
from configurator.memory.tensors import file_role, layer_tensors, outer_tensors
from configurator.memory.weights import bytes_in


@lru_cache(maxsize=64)
def shared_out(model: Architecture) -> Architecture:
    """Return the model with the bytes of its files shared out over its tensors, in the ratios of its format.

    The layers for multi-token prediction lie in the files too. Other models are returned as they are.
    """
    if not model.file_size or model.stored is None:
        return model
    form = model.stored.format
    measure = bytes_in(form)
    parts = [outer_tensors(model)]
    parts += [layer_tensors(layer, model) for layer in (*model.layers, *model.mtp_layers)]
    rate = model.file_size / sum(measure(tensor) for part in parts for tensor in part)

    def stored(tensors: tuple[Tensor, ...]) -> Stored:
        sizes: Counter[Role] = Counter()
        for tensor in tensors:
            sizes[file_role(tensor)] += round(rate * measure(tensor))
        return Stored(form, tuple(sorted(sizes.items())))

    kinds = {layer: replace(layer, stored=stored(layer_tensors(layer, model))) for layer in model.groups}
    layers = tuple(kinds[layer] for layer in model.layers)
    return replace(model, layers=layers, stored=stored(outer_tensors(model)), file_size=0)
