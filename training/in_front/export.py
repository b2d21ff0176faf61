"""Writes a trained network as ONNX, its weights as halves, and says the file's SHA-256.

    /usr/bin/python3 training/in_front/export.py --weights FILE.pt --out FILE.onnx
"""

import argparse
import hashlib
import io
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper, TensorProto
from torch import nn

from data import BOTTOM, LEFT, RIGHT, TOP
from network import read_network

OPSET = 13
# Values of an initializer from which halves are worth a node more.
MIN_HALVED_VALUES = 1000


class Answers(nn.Module):
    """Shares of the classes, colours of the bare face, and how much of them is needed, all 0..1; and the shade."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, seen):
        classes, colours, needed, shade = self.network.logits(seen)
        return torch.softmax(classes, 1), colours.clamp(0, 1), torch.sigmoid(needed), shade


def halve_weights(model):
    """Stores large weights as halves, which a node turns back when the file is loaded."""
    graph = model.graph
    for weights in list(graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype != np.float32 or values.size < MIN_HALVED_VALUES:
            continue
        name = weights.name
        halved = numpy_helper.from_array(values.astype(np.float16), f'{name}.half')
        graph.initializer.remove(weights)
        graph.initializer.append(halved)
        graph.node.insert(0, helper.make_node('Cast', [halved.name], [name], to=TensorProto.FLOAT))


def export(weights, out):
    written = io.BytesIO()
    torch.onnx.export(
        Answers(read_network(weights)), torch.zeros(1, 4, BOTTOM - TOP, RIGHT - LEFT), written, opset_version=OPSET,
        input_names=['input'], output_names=['classes', 'colours', 'needed', 'shade'], do_constant_folding=True)
    model = onnx.load_from_string(written.getvalue())
    halve_weights(model)
    onnx.checker.check_model(model)
    encoded = model.SerializeToString()
    Path(out).write_bytes(encoded)
    print(f'{len(encoded)} bytes, SHA-256 {hashlib.sha256(encoded).hexdigest()}')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    options = parser.parse_args()
    export(options.weights, options.out)
