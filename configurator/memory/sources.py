"""Where the engine's figures come from, in words that stand on the quote sheet."""

PARAMETERS = "arithmetic: parameters times bytes"
TENSORS = "arithmetic: tensors of the model times bits of the format"
FILE = "the header of the model's file: types and shapes of its tensors"
CACHE = "arithmetic: cached values of every layer"
STATE = "arithmetic: recurrent state of every layer, in fp32"
CODE = "saved tensors of the framework's own code (torch 2.13, transformers 5.24)"
LOSS = "runs of the framework's own code; chunked loss: torchtune's published memory steps"
OPTIMIZER = "states in the code of PyTorch and bitsandbytes"
SHARDING = "FSDP: the current unit and one prefetched unit are whole on every GPU"
BUCKETS = "PyTorch DDP: buckets hold one copy of the gradients; DeepSpeed: a bucket of 5e8 values"
LEDGER = "the ledger of the device"
ANOTHER_WORKLOAD = "the estimate of the other workload"

ALL = (
    PARAMETERS,
    TENSORS,
    FILE,
    CACHE,
    STATE,
    CODE,
    LOSS,
    OPTIMIZER,
    SHARDING,
    BUCKETS,
    LEDGER,
    ANOTHER_WORKLOAD,
)
