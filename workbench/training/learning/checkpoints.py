"""The checkpoints of a training: complete folders, written at once or not at all, from which it can go on.

``folder/run.json`` names the best and the latest one. Each ``folder/step-000120`` holds the merged model as stock
transformers loads it, its tokenizer, ``adapter/`` as stock peft loads it (with the head), ``training.json`` and what
the optimizer knows. Nothing in them is a pickle.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...errors import DamagedModel, TrainingFailed, TrainingRefused
from ...relevance.encoders.model_files import TOKENIZER_FILES
from .bases import Base
from .models import ADAPTER, ADAPTER_CONFIG, merged_weights
from .states import Look, Stopped

SCHEMA = 1
RUN = "run.json"
TRAINING = "training.json"
OPTIMIZER = "optimizer.safetensors"
WEIGHTS = "model.safetensors"

_STEP = re.compile(r"step-\d{6,}")
_POOLING_FILES = (
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
)
"""What an encoder's folder says of windows, prefixes and pooling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a training was when a checkpoint was written.

    Attributes
    ----------
    step : int
    loss_sum, loss_steps : float, int
        Of the steps since the last look.
    seconds : float
        Of training, over all resumptions.
    history : tuple of Look
    worse : int
        Looks since the best one.
    """

    step: int = 0
    loss_sum: float = 0.0
    loss_steps: int = 0
    seconds: float = 0.0
    history: tuple[Look, ...] = ()
    worse: int = 0

    @property
    def best(self) -> Look | None:
        """The best look."""
        best: Look | None = None
        for look in self.history:
            best = look if look.is_better_than(best) else best
        return best

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Progress:
        """Return what a file says."""
        return cls(**{**said, "history": tuple(Look(**look) for look in said["history"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a training is of: with another base, other options or other data it is another one.

    Attributes
    ----------
    kind : str
    base : Base
    options : mapping
    data : str
        Hash of questions and negatives.
    documents : mapping of str to sequence of str
        SHA-256 of the documents of "train" and "validation": what the model has seen.
    more : mapping
        What else decides the result: options of the texts, the checkpoint that it started from.
    """

    kind: str
    base: Base
    options: Mapping[str, Any]
    data: str
    documents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """Return it as a dict that JSON can hold; without the base's folder, which may move."""
        base = {key: value for key, value in self.base.to_dict().items() if key != "folder"}
        return {
            "kind": self.kind,
            "base": base,
            "options": dict(self.options),
            "data": self.data,
            "more": dict(self.more),
        }


class Checkpoints:
    """The folder of one training.

    Parameters
    ----------
    folder : path
        Made where it is not there.
    run : Run
    resume : bool
        Whether a training of this kind that lies there is gone on with; False removes it.

    Raises
    ------
    TrainingRefused
        If another training lies there, or the folder cannot be written.
    """

    def __init__(self, folder: str | Path, run: Run, *, resume: bool = True) -> None:
        self.folder = Path(folder).expanduser()
        self.run = run
        self._state: dict[str, Any] = {"schema": SCHEMA, "run": run.facts(), "best": "", "latest": "", "stopped": ""}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            is_known = (self.folder / RUN).is_file()
            there = self._read() if resume else None
            if is_known and not resume:
                (self.folder / RUN).unlink()
            if there is not None:
                self._check(there)
                self._state = there
            if is_known:
                self._sweep()
            else:
                self._refuse_strangers()
        except OSError as error:
            raise TrainingRefused(
                f"The folder {self.folder} cannot be written ({error.strerror or error}); give another folder."
            ) from error

    @property
    def best(self) -> Path | None:
        """The best checkpoint."""
        return self.folder / self._state["best"] if self._state["best"] else None

    @property
    def latest(self) -> Path | None:
        """The latest checkpoint."""
        return self.folder / self._state["latest"] if self._state["latest"] else None

    @property
    def stopped(self) -> str:
        """How the training ended; "" while it has not."""
        return str(self._state["stopped"])

    @property
    def computation(self) -> str:
        """Device and precision with which it was begun; "" before."""
        return str(self._state.get("computation", ""))

    def look_again(self) -> None:
        """Take up what another process has written."""
        self._state = self._read() or self._state

    @property
    def steps(self) -> int:
        """How many steps it was begun for; 0 before."""
        return int(self._state.get("steps", 0))

    def begin(self, computation: str, steps: int) -> None:
        """Note the device and the precision, and how many steps there will be."""
        self._state |= {"computation": computation, "steps": steps}

    def progress(self) -> Progress:
        """Return how far the latest checkpoint is."""
        if self.latest is None:
            return Progress()
        return Progress.of(read_training(self.latest)["progress"])

    def write(self, model: Any, optimizer: Any, progress: Progress, parts: Mapping[str, Any], *, is_best: bool) -> Path:
        """Write a checkpoint, and then drop those that are neither the best nor the latest.

        Raises
        ------
        TrainingFailed
            If the disk is full, or the folder is gone.
        """
        name = f"step-{progress.step:06d}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=".writing-", dir=self.folder))
            try:
                self._fill(temporary, model, optimizer, progress, parts)
                temporary.chmod(0o755)
                if (self.folder / name).exists():
                    shutil.rmtree(self.folder / name)
                temporary.rename(self.folder / name)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
            self._state |= {"latest": name} | ({"best": name} if is_best or not self._state["best"] else {})
            self._write_state()
            self._sweep()
        except OSError as error:
            raise TrainingFailed(
                f"The checkpoint of step {progress.step:,} cannot be written to {self.folder} "
                f"({error.strerror or error}); make room, and start again to go on from the one before."
            ) from error
        return self.folder / name

    def end(self, stopped: Stopped) -> None:
        """Note how the training ended; one that was cancelled can go on."""
        self._state["stopped"] = "" if stopped == "cancelled" else stopped
        self._write_state()

    def _fill(self, folder: Path, model: Any, optimizer: Any, progress: Progress, parts: Mapping[str, Any]) -> None:
        from safetensors.torch import save_file

        save_adapter(model, folder / ADAPTER)
        save_merged(model, self.run.base, folder)
        save_file(_optimizer_tensors(model, optimizer), folder / OPTIMIZER)
        said = {"schema": SCHEMA, **self.run.facts(), "computation": self.computation, "parts": parts}
        said |= {"progress": asdict(progress), "documents": {name: list(of) for name, of in self.run.documents.items()}}
        (folder / TRAINING).write_text(_json(said), encoding="utf-8")

    def _read(self) -> dict[str, Any] | None:
        file = self.folder / RUN
        if not file.is_file():
            return None
        try:
            said = json.loads(file.read_bytes())
        except ValueError:
            said = None
        if not isinstance(said, dict) or said.get("schema") != SCHEMA or not isinstance(said.get("run"), dict):
            raise TrainingRefused(
                f"{file} is no record of a training that this version knows; give another folder, or resume=False to "
                "begin anew."
            )
        return said

    def _check(self, there: Mapping[str, Any]) -> None:
        # What was written is compared as JSON has it.
        mine = json.loads(_json(self.run.facts()))
        different = sorted(_differences(there["run"], mine))
        if different:
            raise TrainingRefused(
                f"In {self.folder} lies another training: {', '.join(different)} differ; give another folder, or "
                "resume=False to begin anew there."
            )

    def _refuse_strangers(self) -> None:
        """Leave checkpoints alone that no record calls ours: they are somebody else's, or all that is left of ours."""
        strange = sorted(entry.name for entry in self.folder.iterdir() if _STEP.fullmatch(entry.name))
        if strange:
            raise TrainingRefused(
                f"In {self.folder} lies {strange[0]}, and no {RUN} that says what of; give another folder, or move it."
            )

    def _sweep(self) -> None:
        """Remove what was never finished, and checkpoints that nothing names."""
        named = {self._state["best"], self._state["latest"]}
        for entry in self.folder.iterdir():
            if entry.name.startswith(".writing-") or (_STEP.fullmatch(entry.name) and entry.name not in named):
                shutil.rmtree(entry, ignore_errors=True)

    def _write_state(self) -> None:
        handle, name = tempfile.mkstemp(prefix=".writing-", dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(_json(self._state))
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(self.folder / RUN)


def save_adapter(model: Any, folder: Path) -> None:
    """Write an adapter, with its head, as peft does; equal adapters give equal files."""
    model.save_pretrained(folder, safe_serialization=True)
    (folder / "README.md").unlink(missing_ok=True)  # an empty form
    file = folder / ADAPTER_CONFIG
    said = json.loads(file.read_bytes())
    # peft keeps names in sets, whose order changes from process to process.
    said |= {key: sorted(set(said[key])) for key in ("target_modules", "modules_to_save") if said.get(key)}
    file.write_text(_json(said), encoding="utf-8")


def save_merged(model: Any, base: Base, folder: Path) -> None:
    """Write the model with its adapter added, and the base's tokenizer, as transformers loads them."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    inner = model.get_base_model()
    save_file(merged_weights(model), folder / WEIGHTS, metadata={"format": "pt"})
    inner.config.architectures = [type(inner).__name__]
    inner.config.save_pretrained(folder)
    is_encoder = not type(inner).__name__.endswith("ForSequenceClassification")
    for name in (*TOKENIZER_FILES, *(_POOLING_FILES if is_encoder else ())):
        if (base.folder / name).is_file():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(base.folder / name, folder / name)


def read_training(checkpoint: Path) -> dict[str, Any]:
    """Return what ``training.json`` of a checkpoint says.

    Raises
    ------
    DamagedModel
    """
    file = checkpoint / TRAINING
    try:
        said = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise DamagedModel(f"{file} cannot be read ({error}); train it again in another folder.") from error
    if not isinstance(said, dict) or said.get("schema") != SCHEMA:
        raise DamagedModel(f"{file} is no record of a checkpoint that this version knows; train it again.")
    return said


def restore_optimizer(model: Any, optimizer: Any, checkpoint: Path) -> None:
    """Give an optimizer what it knew at a checkpoint.

    Raises
    ------
    DamagedModel
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        stored = load_file(checkpoint / OPTIMIZER)
        for name, parameter in model.named_parameters():
            if parameter.requires_grad and f"{name}|step" in stored:
                optimizer.state[parameter] = {
                    key: stored[f"{name}|{key}"].to(parameter.device if key != "step" else "cpu")
                    for key in ("step", "exp_avg", "exp_avg_sq")
                }
    except (OSError, SafetensorError, KeyError) as error:
        raise DamagedModel(
            f"{checkpoint / OPTIMIZER} cannot be read ({error}); begin the training anew with resume=False."
        ) from error


def _optimizer_tensors(model: Any, optimizer: Any) -> dict[str, Any]:
    return {
        f"{name}|{key}": value.detach().cpu().contiguous()
        for name, parameter in model.named_parameters()
        if parameter in optimizer.state
        for key, value in sorted(optimizer.state[parameter].items())
    }


def _differences(before: Mapping[str, Any], now: Mapping[str, Any], above: str = "") -> list[str]:
    found: list[str] = []
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differences(old, new, f"{above}{key}.")
        elif old != new:
            found.append(f"{above}{key}")
    return found


def _json(said: Any) -> str:
    return json.dumps(said, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
