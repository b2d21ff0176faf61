"""Turns what ComfyUI's sockets carry into files, and back."""

from io import BytesIO

import numpy
from PIL import Image


def pngs_of(images):
    """Returns a PNG for each image of a batch, a tensor of shape [count, height, width, 3 or 4], 0..1."""
    return [_png_of(image) for image in images.cpu().numpy()]


def _png_of(image):
    levels = (image[..., :3] * 255).round().clip(0, 255).astype("uint8")
    buffer = BytesIO()
    Image.fromarray(levels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def images_of(files, like):
    """Returns pictures of one size as a batch: a tensor of the kind of `like`, [count, height, width, 3], 0..1."""
    pictures = [numpy.asarray(Image.open(BytesIO(file)).convert("RGB")) for file in files]
    return like.new_tensor(numpy.stack(pictures).astype("float32") / 255)


def file_of(video):
    """Returns the bytes of a video as a file. A video that was loaded from one is copied, not encoded again."""
    buffer = BytesIO()
    video.save_to(buffer)
    return buffer.getvalue()


def video_of(file):
    # Only ComfyUI has this module.
    from comfy_api.input_impl import VideoFromFile

    return VideoFromFile(BytesIO(file))
