"""Writes a trained network as ONNX, probabilities as its output.

    /usr/bin/python3 training/in_front/export.py --weights FILE.pt --out FILE.onnx
"""

import argparse
import os

import torch
from torch import nn

from network import InFront

SIDE = 256
OPSET = 13


class Probabilities(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return torch.softmax(self.network(x), 1)


def export(weights, out):
    network = InFront()
    network.load_state_dict(torch.load(weights))
    whole = Probabilities(network.eval())
    torch.onnx.export(whole, torch.zeros(1, 4, SIDE, SIDE), out, opset_version=OPSET,
                      input_names=['face'], output_names=['classes'], do_constant_folding=True)
    print(f'{os.path.getsize(out)} bytes')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    options = parser.parse_args()
    export(options.weights, options.out)
