"""Waits for tasks as ComfyUI expects: with its progress bar, and until its Cancel button is pressed."""

import os
from contextlib import suppress

from guise import Guise, GuiseError

# Pause between two looks at the Cancel button, in seconds.
_LOOK = 1


def client():
    """
    Makes a client from the environment of ComfyUI: GUISE_API_KEY, and GUISE_URL for a service on another
    machine. The key is no field of a node, because ComfyUI writes fields into the pictures that it saves.
    """
    key = os.environ.get("GUISE_API_KEY")
    if not key:
        raise ValueError("Set GUISE_API_KEY in the environment of ComfyUI to your API key, and start it again.")
    return Guise(url=os.environ.get("GUISE_URL", "http://127.0.0.1:3000"), key=key)


def swap_all(workflow, orders):
    """
    Creates a task for each order, the arguments of `swap`, and returns their results in order. Cancels those
    that have not ended if one fails, or if the user stops ComfyUI. Raises TaskEndedError, GuiseError, or what
    ComfyUI raises to stop a node.
    """
    progress = _Progress(len(orders))
    task_ids = []
    results = []
    try:
        for order in orders:
            task_ids.append(workflow.swap(**order)["taskId"])
        for done, task_id in enumerate(task_ids):
            results.append(_wait(workflow, task_id, lambda share: progress.show(done + share)))
    finally:
        for task_id in task_ids[len(results) :]:
            _cancel(workflow, task_id)
    return results


def _wait(workflow, task_id, show):
    def on_change(task):
        if "progress" in (task["result"] or {}):
            show(task["result"]["progress"])

    while True:
        _stop_if_asked()
        try:
            result = workflow.wait(task_id, on_change=on_change, timeout=_LOOK)["result"]
        except TimeoutError:
            continue
        show(1)
        return result


def _cancel(workflow, task_id):
    # If it has ended, or the service is away, what stopped the node is the news.
    with suppress(GuiseError):
        workflow.cancel(task_id)


class _Progress:
    """ComfyUI's progress bar; nothing outside of ComfyUI."""

    def __init__(self, count):
        try:
            from comfy.utils import ProgressBar
        except ModuleNotFoundError:
            self._bar = None
        else:
            self._bar = ProgressBar(100)
        self._count = count

    def show(self, done):
        if self._bar is not None:
            self._bar.update_absolute(round(100 * done / self._count))


def _stop_if_asked():
    try:
        from comfy.model_management import throw_exception_if_processing_interrupted
    except ModuleNotFoundError:
        return
    throw_exception_if_processing_interrupted()
