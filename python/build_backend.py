"""Makes the wheel of the package with nothing but Python, so that `pip install` needs no other package to build it, and asks no index.

What pyproject.toml says under [project] becomes its metadata; the values used are strings and lists of strings, on one line each.
"""
import ast
import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE / "src"
DATE = (1980, 1, 1, 0, 0, 0)  # equal sources make equal wheels


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = [path for path in sorted(SOURCE.glob("schedfarm/**/*")) if path.is_file() and path.suffix != ".pyc"]
    content = {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in files}
    return _wheel(wheel_directory, {**content, "schedfarm/SCHEMA.md": (HERE.parent / "results_schema/SCHEMA.md").read_bytes()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {"schedfarm.pth": f"{SOURCE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the package has no source distribution of its own: take the sources of schedfarm")


def _project():
    """Section -> key -> value."""
    sections, section = {}, {}
    for line in (HERE / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif re.match(r"[\w-]+ = [\"\[]", line):
            key, _, value = line.partition(" = ")
            section[key] = ast.literal_eval(value)
    return sections


def _version():
    return re.search(r'__version__ = "(.+)"', (SOURCE / "schedfarm/_version.py").read_text(encoding="utf-8")).group(1)


def _metadata():
    sections = _project()
    project = sections["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {_version()}", f"Summary: {project['description']}",
             "License: Apache-2.0", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    for extra, needs in sections["project.optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {need}; extra == "{extra}"' for need in needs)]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / project["readme"]).read_text(encoding="utf-8")]
    return "\n".join(lines)


def _wheel(folder, files):
    name = f"schedfarm-{_version()}"
    info = f"{name}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: schedfarm\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,\n"]).encode()
    wheel = pathlib.Path(folder, f"{name}-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel.name


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
