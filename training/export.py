"""Exports a trained network as ONNX with float16 weights, and prints the file's SHA-256.

    /usr/bin/python3 -m export --network in-front|mend --weights FILE.pt --out FILE.onnx
"""

import argparse
import hashlib
import io
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper, TensorProto

from in_front.data import BOTTOM, LEFT, RIGHT, TOP
from in_front.network import InFront
from mend.network import Mend

OPSET = 13
# Tensors with fewer values stay float32, because each float16 tensor needs an additional Cast node.
MIN_HALVED_VALUES = 1000


class InFrontOutputs(InFront):
    """`InFront` with the outputs that the engine reads.

    They are: shares of the classes, colours of the bare face, how much these are needed (all 0..1), and the shade.
    """

    def forward(self, seen):
        classes, colours, needed, shade = self.logits(seen)
        # Written out, because onnxruntime takes ten times as long for a softmax over planes.
        shares = classes.exp()
        return shares / shares.sum(1, keepdim=True), colours.clamp(0, 1), torch.sigmoid(needed), shade


# For each name of a network: its class, the number of input channels, and the names of the outputs.
NETWORKS = {
    'in-front': (InFrontOutputs, 4, ['classes', 'colours', 'needed', 'shade']),
    'mend': (Mend, 5, ['steps']),
}


def halve_weights(model):
    """Stores large weights as float16. A Cast node per tensor makes them float32 when the file is loaded."""
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


def export(name, weights, out):
    make, channels, outputs = NETWORKS[name]
    network = make.trained(weights)
    network.read_texels()
    written = io.BytesIO()
    torch.onnx.export(
        network, torch.zeros(1, channels, BOTTOM - TOP, RIGHT - LEFT), written, opset_version=OPSET,
        input_names=['input'], output_names=outputs, do_constant_folding=True)
    model = onnx.load_from_string(written.getvalue())
    halve_weights(model)
    onnx.checker.check_model(model)
    encoded = model.SerializeToString()
    Path(out).write_bytes(encoded)
    print(f'{len(encoded)} bytes, SHA-256 {hashlib.sha256(encoded).hexdigest()}')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--network', required=True, choices=NETWORKS)
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    options = parser.parse_args()
    export(options.network, options.weights, options.out)
