"""The landmarks of MediaPipe Pose, under its names, which Kinebase's library of movements knows."""

from __future__ import annotations

from typing import Tuple

NAMES: Tuple[str, ...] = (
    "nose",
    *(f"{side}_eye{part}" for side in ("left", "right") for part in ("_inner", "", "_outer")),
    *(
        f"{side}_{part}"
        for part in (
            "ear",
            "mouth",
            "shoulder",
            "elbow",
            "wrist",
            "pinky",
            "index",
            "thumb",
            "hip",
            "knee",
            "ankle",
            "heel",
            "foot_index",
        )
        for side in ("left", "right")
    ),
)

# Pairs that hang together, the one nearer to the pelvis first.
BONES: Tuple[Tuple[str, str], ...] = (
    ("left_hip", "right_hip"),
    ("left_shoulder", "right_shoulder"),
    *(
        (f"{side}_{a}", f"{side}_{b}")
        for side in ("left", "right")
        for a, b in (
            ("hip", "shoulder"),
            ("shoulder", "elbow"),
            ("elbow", "wrist"),
            ("wrist", "index"),
            ("wrist", "pinky"),
            ("wrist", "thumb"),
            ("hip", "knee"),
            ("knee", "ankle"),
            ("ankle", "heel"),
            ("heel", "foot_index"),
            ("shoulder", "ear"),
        )
    ),
    ("left_ear", "nose"),
    ("right_ear", "nose"),
)
