"""Uses the nodes for ComfyUI as ComfyUI does, without it."""

import importlib
import inspect
import io
import json
import os
import sys
import types
from pathlib import Path

import numpy
import torch
from PIL import Image

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
sys.path.insert(0, str(CLIENTS))
nodes = importlib.import_module("comfyui")

SOCKETS = {"IMAGE", "VIDEO", "STRING", "FLOAT", "INT", "BOOLEAN"}


class VideoFromFile:
    """What a VIDEO socket carries, as far as its documentation says and the nodes use it."""

    def __init__(self, file):
        self._content = file.read() if isinstance(file, io.BytesIO) else Path(file).read_bytes()

    def save_to(self, path, format=None, codec=None, metadata=None):
        path.write(self._content)


def install(name, **content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


def load(path):
    """Loads a picture as ComfyUI's node Load Image does."""
    picture = numpy.asarray(Image.open(path).convert("RGB")).astype("float32") / 255
    return torch.from_numpy(picture)[None]


def run(name, **inputs):
    node = nodes.NODE_CLASS_MAPPINGS[name]
    return getattr(node(), node.FUNCTION)(**inputs)


def interface(_):
    assert nodes.NODE_CLASS_MAPPINGS.keys() == nodes.NODE_DISPLAY_NAME_MAPPINGS.keys()
    for node in nodes.NODE_CLASS_MAPPINGS.values():
        declared = node.INPUT_TYPES()
        inputs = {**declared["required"], **declared["optional"]}
        for name, (socket, *options) in inputs.items():
            assert socket in SOCKETS and all(isinstance(each, dict) for each in options), name
        assert all(socket in SOCKETS for socket in node.RETURN_TYPES)
        assert len(node.RETURN_NAMES) == len(node.RETURN_TYPES)
        parameters = inspect.signature(getattr(node, node.FUNCTION)).parameters
        takes_more = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        for name in inputs:
            assert name in parameters or takes_more, name
        for name in declared["optional"]:
            assert name not in parameters or parameters[name].default is not inspect.Parameter.empty, name


def images(files):
    face, pair = load(files["face"]), load(files["pair"])
    shown = []

    class ProgressBar:
        def __init__(self, total):
            assert total == 100

        def update_absolute(self, value):
            shown.append(value)

    install("comfy.utils", ProgressBar=ProgressBar)
    batch = torch.cat([pair, pair.flip(2)])
    made, receipts = run("GuiseSwap", face=face, images=batch, consent="A drawn face.", label=True)
    assert made.shape == batch.shape and made.dtype == torch.float32
    assert 0 <= float(made.min()) and float(made.max()) <= 1
    assert float((made - batch).abs().max()) > 0.1
    first, second = json.loads(receipts)
    assert first["label"] is True and second["frames"]["swapped"] == 1
    assert shown == sorted(shown) and shown[-1] == 100, shown
    count, found = run("GuiseDetect", image=pair)
    assert count == len(json.loads(found)) == 2
    assert run("GuiseVerify", image=made)[0] is True
    assert run("GuiseVerify", image=pair)[0] is False


def failures(files):
    guise = importlib.import_module("guise")
    face = load(files["face"])
    grey = torch.full((1, 64, 64, 3), 0.5)
    try:
        run("GuiseSwap", face=face, images=grey)
        raise AssertionError("a picture without a face was swapped")
    except guise.TaskEndedError as error:
        assert error.code == "NO_FACE_DETECTED"

    class Interrupted(Exception):
        pass

    def throw_exception_if_processing_interrupted():
        raise Interrupted

    install(
        "comfy.model_management",
        throw_exception_if_processing_interrupted=throw_exception_if_processing_interrupted,
    )
    try:
        run("GuiseSwap", face=face, images=torch.cat([face] * 3))
        raise AssertionError("a node that was stopped went on")
    except Interrupted:
        pass
    client = guise.Guise(url=os.environ["GUISE_URL"], key=os.environ["GUISE_API_KEY"])
    statuses = [task["status"] for task in client.list(limit=3)["tasks"]]
    assert "CANCELLED" in statuses and not {"PENDING", "PROCESSING"} & set(statuses), statuses

    for inputs in ({}, {"image": face, "film": object()}):
        try:
            run("GuiseDetect", **inputs)
            raise AssertionError("nothing to look at was taken")
        except ValueError:
            pass
    del os.environ["GUISE_API_KEY"]
    try:
        run("GuiseDetect", image=face)
        raise AssertionError("a missing key was taken")
    except ValueError as error:
        assert "GUISE_API_KEY" in str(error)


def film(files):
    install("comfy_api.input_impl", VideoFromFile=VideoFromFile)
    face = load(files["face"])
    clip = VideoFromFile(files["film"])
    assert run("GuiseDetect", film=clip)[0] == 2
    made, receipt = run("GuiseSwapFilm", film=clip, person_0=face, person_1=face, end=1.0)
    assert len(json.loads(receipt)["persons"]) == 2
    assert run("GuiseVerify", film=made)[0] is True
    made, receipt = run("GuiseSwapFilm", film=clip, face=face)
    assert "persons" not in json.loads(receipt)
    for inputs in ({}, {"face": face, "person_1": face}):
        try:
            run("GuiseSwapFilm", film=clip, **inputs)
            raise AssertionError("an unclear choice of faces was taken")
        except ValueError:
            pass


globals()[sys.argv[1]](json.loads(sys.argv[2]))
