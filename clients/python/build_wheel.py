"""Makes the package for pip, with the standard library only: so pip needs no network for its build."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build_wheel(folder, config_settings=None, metadata_directory=None):
    project = (HERE / "pyproject.toml").read_text()

    def read(field):
        return re.search(f'^{field} = "(.*)"$', project, re.MULTILINE)[1]

    name = f"guise_client-{read('version')}"
    metadata = f"""Metadata-Version: 2.1
Name: {read('name')}
Version: {read('version')}
Summary: {read('description')}
License: Apache-2.0
Requires-Python: {read('requires-python')}
"""
    tags = "Wheel-Version: 1.0\nGenerator: guise\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    sources = [path for path in sorted((HERE / "guise").iterdir()) if path.is_file()]
    files = {f"guise/{path.name}": path.read_bytes() for path in sources}
    files[f"{name}.dist-info/METADATA"] = metadata.encode()
    files[f"{name}.dist-info/WHEEL"] = tags.encode()
    records = [f"{path},sha256={_hash_of(content)},{len(content)}\n" for path, content in files.items()]
    record = f"{name}.dist-info/RECORD"
    files[record] = ("".join(records) + f"{record},,\n").encode()
    with zipfile.ZipFile(Path(folder) / f"{name}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return f"{name}-py3-none-any.whl"


def _hash_of(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
