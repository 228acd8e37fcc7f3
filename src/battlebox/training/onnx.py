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
    weights = [
        numpy_helper.from_array(np.ascontiguousarray(x), name)
        for name, x in layers._asdict().items()
    ]

    def dense(given: str, name: str, out: str) -> Any:
        return helper.make_node("Gemm", [given, name, f"{name}_bias"], [out])

    nodes = [
        dense("rows", "first", "first_sum"),
        helper.make_node("Relu", ["first_sum"], ["found"]),
        dense("found", "second", "second_sum"),
        helper.make_node("Relu", ["second_sum"], ["deeper"]),
        dense("deeper", "choice", "logits"),
        dense("deeper", "value", "value_sum"),
        helper.make_node("Tanh", ["value_sum"], ["values"]),
    ]

    def numbers(name: str, width: int) -> Any:
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", width])

    shape = about.shape
    graph = helper.make_graph(
        nodes,
        f"battlebox {about.game}",
        [numbers("rows", shape.inputs)],
        [numbers("logits", shape.logits), numbers("values", shape.room)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8  # what older runtimes read, too
    helper.set_model_props(model, {"about": about.model_dump_json()})
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
