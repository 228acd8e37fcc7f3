"""A policy for other programs, as ONNX: rows [n, inputs] -> logits [n, actions], values [n, room].

The rows are those of `bots.policy.Inputs`; its notes (`about`) say what stands in them. Actions
that are not legal have logits too: who plays leaves them out. Where the notes name classes of
actions, logits are of those; where they name places, these have the last logits, and that of a
candidate's place is added to its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bots.policy import PolicyFile
from ..bots.policy.network import WEIGHING
from ..core.errors import BattleboxError

OPSET = 17


def exported(policy: PolicyFile) -> bytes:
    """The bytes of a model. Errors: BattleboxError says what to install."""
    try:
        import onnx
        from onnx import helper, numpy_helper
    except ImportError:
        raise BattleboxError("ONNX needs onnx: pip install 'battlebox[train]'") from None
    about, layers = policy.about, policy.layers
    shape, weighs = about.shape, len(layers.candidate_bias) > 0
    known: dict[str, Any] = {
        name: x for name, x in layers._asdict().items() if weighs or name not in WEIGHING
    }
    if weighs:
        known |= {
            "columns": np.array([shape.seen, shape.inputs - shape.seen]),
            "kinds": np.array([shape.logits - shape.places, shape.places]),
            "each": np.array([-1, shape.places, shape.told]),
            "second_axis": np.array([1]),
            "last_axis": np.array([2]),
        }

    def node(kind: str, given: str, out: str, **how: Any) -> Any:
        return helper.make_node(kind, given.split(), out.split(), **how)

    def dense(given: str, name: str, out: str) -> Any:
        return node("Gemm", f"{given} {name} {name}_bias", out)

    nodes = [
        dense("seen" if weighs else "rows", "first", "first_sum"),
        node("Relu", "first_sum", "found"),
        dense("found", "second", "second_sum"),
        node("Relu", "second_sum", "deeper"),
        dense("deeper", "choice", "chosen" if weighs else "logits"),
        dense("deeper", "value", "value_sum"),
        node("Tanh", "value_sum", "values"),
    ]
    if weighs:
        nodes = [
            node("Split", "rows columns", "seen end", axis=1),
            *nodes,
            node("Reshape", "end each", "told"),
            node("MatMul", "told candidate", "told_product"),
            node("Add", "told_product candidate_bias", "told_sum"),
            dense("deeper", "context", "context_sum"),
            node("Unsqueeze", "context_sum second_axis", "context_of_each"),
            node("Add", "told_sum context_of_each", "weighed_sum"),
            node("Relu", "weighed_sum", "weighed"),
            node("MatMul", "weighed score", "score_product"),
            node("Add", "score_product score_bias", "score_of_each"),
            node("Squeeze", "score_of_each last_axis", "scores"),
            node("Split", "chosen kinds", "of_actions of_places", axis=1),
            node("Add", "of_places scores", "weighed_places"),
            node("Concat", "of_actions weighed_places", "logits", axis=1),
        ]

    def numbers(name: str, width: int) -> Any:
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", width])

    graph = helper.make_graph(
        nodes,
        f"battlebox {about.game}",
        [numbers("rows", shape.inputs)],
        [numbers("logits", shape.logits), numbers("values", shape.room)],
        [numpy_helper.from_array(np.ascontiguousarray(x), name) for name, x in known.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8  # what older runtimes read, too
    helper.set_model_props(model, {"about": about.model_dump_json()})
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
