"""The nodes, by ComfyUI's documented interface: INPUT_TYPES, RETURN_TYPES, FUNCTION, CATEGORY."""

import json

from .media import file_of, images_of, pngs_of, video_of
from .work import client, swap_all

# Sockets for the people of a film.
_PEOPLE = 4

_CONSENT = ("STRING", {"default": "", "tooltip": "Who agreed to the use of the face, and how."})
_LABEL = ("BOOLEAN", {"default": False, "tooltip": 'Whether "AI face swapped" is written on the result.'})
_ENGINE = ("STRING", {"default": "", "tooltip": "What draws the face. Empty: the default of the service."})


def _options(consent, label, engine):
    return {"consent": consent or None, "label": label or None, "engine": engine or None}


class GuiseSwap:
    """Puts the person of `face` onto every image of `images`. Several photos of the person are merged."""

    CATEGORY = "guise"
    DESCRIPTION = __doc__
    FUNCTION = "swap"
    RETURN_TYPES = ("IMAGE", "STRING")
    RETURN_NAMES = ("images", "receipts")

    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {
                "face": ("IMAGE", {"tooltip": "The person: one photo, or a batch of up to five."}),
                "images": ("IMAGE", {"tooltip": "The photos to change. The largest face of each is replaced."}),
            },
            "optional": {"consent": _CONSENT, "label": _LABEL, "engine": _ENGINE},
        }

    def swap(self, face, images, consent="", label=False, engine=""):
        guise = client()
        person = _person(face)
        options = _options(consent, label, engine)
        orders = [{**person, "target_image": image, **options} for image in pngs_of(images)]
        results = swap_all(guise.photos, orders)
        files = [guise.download(result["outputs"][0]) for result in results]
        return (images_of(files, images), json.dumps([result["receipt"] for result in results]))


class GuiseSwapFilm:
    """
    Puts a person into a film: in place of the main person, or of the people by their numbers, as the node
    Detect counts them.
    """

    CATEGORY = "guise"
    DESCRIPTION = __doc__
    FUNCTION = "swap"
    RETURN_TYPES = ("VIDEO", "STRING")
    RETURN_NAMES = ("film", "receipt")

    @classmethod
    def INPUT_TYPES(cls):
        photo = {"tooltip": "A photo of the new face."}
        seconds = {"default": 0.0, "min": 0.0, "max": 36000.0, "step": 0.1}
        return {
            "required": {"film": ("VIDEO",)},
            "optional": {
                "face": ("IMAGE", {"tooltip": "The face for the main person. Connect this, or person_0 and others."}),
                **{f"person_{number}": ("IMAGE", photo) for number in range(_PEOPLE)},
                "start": ("FLOAT", {**seconds, "tooltip": "Start of the part to make, in seconds."}),
                "end": ("FLOAT", {**seconds, "tooltip": "End of the part to make, in seconds. 0: the film's end."}),
                "consent": _CONSENT,
                "label": _LABEL,
                "engine": _ENGINE,
            },
        }

    def swap(self, film, face=None, start=0.0, end=0.0, consent="", label=False, engine="", **people):
        faces = [
            {"faceBox": {"personIndex": number}, "targetFace": pngs_of(people[f"person_{number}"])[0]}
            for number in range(_PEOPLE)
            if people.get(f"person_{number}") is not None
        ]
        if (face is None) == (not faces):
            raise ValueError("Connect face, or person_0 and others, but not both.")
        order = {
            "target_video": file_of(film),
            **({"faces": faces} if face is None else _person(face)),
            "start_seconds": start or None,
            "end_seconds": end or None,
            **_options(consent, label, engine),
        }
        guise = client()
        [result] = swap_all(guise.films, [order])
        return (video_of(guise.download(result["outputs"][0])), json.dumps(result["receipt"]))


class _Look:
    """A node that looks at an image or a film."""

    CATEGORY = "guise"

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {}, "optional": {"image": ("IMAGE",), "film": ("VIDEO",)}}


class GuiseDetect(_Look):
    """Finds the faces of an image, or the people of a film. It costs nothing."""

    DESCRIPTION = __doc__
    FUNCTION = "detect"
    RETURN_TYPES = ("INT", "STRING")
    RETURN_NAMES = ("count", "found")

    def detect(self, image=None, film=None):
        _require_one(image, film)
        guise = client()
        if film is not None:
            persons = guise.detect_persons(file_of(film))["persons"]
            return (len(persons), json.dumps(persons))
        faces = guise.detect_faces(pngs_of(image[:1])[0])["faces"]
        return (len(faces), json.dumps(faces))


class GuiseVerify(_Look):
    """
    Tells whether guise made an image or a film, by the watermark in its picture. An image that ComfyUI has
    loaded has no metadata any more; use `guise verify` for signatures.
    """

    DESCRIPTION = __doc__
    FUNCTION = "verify"
    RETURN_TYPES = ("BOOLEAN", "STRING")
    RETURN_NAMES = ("found", "verification")

    def verify(self, image=None, film=None):
        _require_one(image, film)
        verification = client().verify(pngs_of(image[:1])[0] if film is None else file_of(film))
        return (verification["watermark"]["found"], json.dumps(verification))


def _person(face):
    """Returns the fields of a person's photos: the first of a batch, and more."""
    first, *more = pngs_of(face)
    return {"source_image": first, "additional_source_images": more or None}


def _require_one(image, film):
    if (image is None) == (film is None):
        raise ValueError("Connect image or film, but not both.")


NODE_CLASS_MAPPINGS = {
    "GuiseSwap": GuiseSwap,
    "GuiseSwapFilm": GuiseSwapFilm,
    "GuiseDetect": GuiseDetect,
    "GuiseVerify": GuiseVerify,
}
NODE_DISPLAY_NAME_MAPPINGS = {
    "GuiseSwap": "guise: swap",
    "GuiseSwapFilm": "guise: swap film",
    "GuiseDetect": "guise: detect",
    "GuiseVerify": "guise: verify",
}
