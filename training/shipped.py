"""Reads a network of the engine's assets, to go on training it."""

import onnx
import torch
from onnx import numpy_helper


def read_shipped(network, file, batches):
    """Gives a network the weights of an ONNX file that `export` wrote.

    In the file, normalisations are part of the convolutions. The statistics of what the network sees make them
    normalisations again.
    batches: what the network sees, each N x channels x HEIGHT x WIDTH.
    """
    graph = onnx.load(file).graph
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    # Large weights are stored as halves.
    values.update({node.output[0]: values[node.input[0]] for node in graph.node
                   if node.op_type == 'Cast' and node.input[0] in values})
    told = [[torch.tensor(values[name]).float() for name in node.input[1:]]
            for node in graph.node if node.op_type == 'Conv']
    blocks = [network.first, *network.down, *reversed(network.up)]
    pairs = [(block[at], block[at + 1]) for block in blocks for at in (0, 3)]
    moments = {normalisation: [] for _, normalisation in pairs}

    def note(module, inputs):
        moments[module].append((inputs[0].mean((0, 2, 3)), inputs[0].pow(2).mean((0, 2, 3))))

    with torch.no_grad():
        network.last.weight.copy_(told[-1][0])
        network.last.bias.copy_(told[-1][1])
        for (convolution, normalisation), (weight, bias) in zip(pairs, told):
            convolution.weight.copy_(weight)
            normalisation.bias.copy_(bias)
            # It changes nothing else yet.
            normalisation.running_var.fill_(1 - normalisation.eps)
        network.eval()
        hooks = [normalisation.register_forward_pre_hook(note) for _, normalisation in pairs]
        for batch in batches:
            network.planes(batch)
        for hook in hooks:
            hook.remove()
        for normalisation, seen in moments.items():
            mean, square = (torch.stack(each).mean(0) for each in zip(*seen))
            variance = square - mean ** 2
            normalisation.running_mean.copy_(mean)
            normalisation.running_var.copy_(variance)
            normalisation.weight.copy_((variance + normalisation.eps).sqrt())
            normalisation.bias.add_(mean)
    network.train()
