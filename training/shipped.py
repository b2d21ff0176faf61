"""Loads a network of the engine's assets, so that its training can continue."""

import onnx
import torch
from onnx import numpy_helper

from unet import of_squares


def read_shipped(network, file, batches):
    """Loads the weights of an ONNX file of `export` into a network.

    The export merges batch normalisations into the convolutions. This restores them: it measures the mean and variance of
    their inputs on `batches`, and chooses their parameters so that the outputs stay the same.
    batches: inputs of the network, each N x channels x HEIGHT x WIDTH.
    """
    graph = onnx.load(file).graph
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    # Large weights are stored as float16.
    values.update({node.output[0]: values[node.input[0]] for node in graph.node
                   if node.op_type == 'Cast' and node.input[0] in values})
    stored = [[torch.tensor(values[name]).float() for name in node.input[1:]]
              for node in graph.node if node.op_type == 'Conv']
    stored[0][0] = of_squares(stored[0][0])
    blocks = [network.first, *network.down, *reversed(network.up)]
    pairs = [(block[at], block[at + 1]) for block in blocks for at in (0, 3)]
    moments = {normalisation: [] for _, normalisation in pairs}

    def note(module, inputs):
        moments[module].append((inputs[0].mean((0, 2, 3)), inputs[0].pow(2).mean((0, 2, 3))))

    with torch.no_grad():
        network.last.weight.copy_(stored[-1][0])
        network.last.bias.copy_(stored[-1][1])
        for (convolution, normalisation), (weight, bias) in zip(pairs, stored):
            convolution.weight.copy_(weight)
            normalisation.bias.copy_(bias)
            # The normalisation only adds its bias until its statistics are measured.
            normalisation.running_var.fill_(1 - normalisation.eps)
        network.eval()
        hooks = [normalisation.register_forward_pre_hook(note) for _, normalisation in pairs]
        for batch in batches:
            network.planes(batch)
        for hook in hooks:
            hook.remove()
        for normalisation, noted in moments.items():
            mean, square = (torch.stack(each).mean(0) for each in zip(*noted))
            variance = square - mean ** 2
            normalisation.running_mean.copy_(mean)
            normalisation.running_var.copy_(variance)
            normalisation.weight.copy_((variance + normalisation.eps).sqrt())
            normalisation.bias.add_(mean)
    network.train()
