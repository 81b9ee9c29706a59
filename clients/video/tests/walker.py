"""A made-up person who walks along x, with z up: where the landmarks of MediaPipe Pose would be, in m."""

import numpy as np

from kinebase_video.landmarks import NAMES


def joints(seconds: float, speed: float = 0.8) -> np.ndarray:
    """Give (33, 3) at a time. All segments keep their lengths."""
    at, turn = speed * seconds, 2 * np.pi * 0.9 * seconds
    place = {}
    hip = np.array([at, 0.0, 0.92 + 0.02 * np.cos(2 * turn)])
    shoulder = hip + [0.02, 0.0, 0.50]
    for side, y, phase in (("left", 1, 0.0), ("right", -1, np.pi)):
        swing = 0.45 * np.sin(turn + phase)
        bend = 0.25 + 0.25 * np.cos(turn + phase)
        h = hip + [0, 0.10 * y, 0]
        knee = h + 0.42 * np.array([np.sin(swing), 0, -np.cos(swing)])
        ankle = knee + 0.41 * np.array([np.sin(swing - bend), 0, -np.cos(swing - bend)])
        s = shoulder + [0, 0.18 * y, 0]
        elbow = s + 0.29 * np.array([np.sin(-swing), 0.1 * y, -np.cos(swing)])
        wrist = elbow + 0.26 * np.array([np.sin(0.4 - swing), 0.1 * y, -np.cos(0.4 - swing)])
        place.update(
            {
                f"{side}_hip": h,
                f"{side}_knee": knee,
                f"{side}_ankle": ankle,
                f"{side}_shoulder": s,
                f"{side}_elbow": elbow,
                f"{side}_wrist": wrist,
            }
        )
        place.update({f"{side}_heel": ankle + [-0.05, 0, -0.06], f"{side}_foot_index": ankle + [0.15, 0.02 * y, -0.06]})
        for finger, out in (("pinky", 0.01), ("index", 0.03), ("thumb", 0.05)):
            place[f"{side}_{finger}"] = wrist + [out, 0, -0.08]
        head = shoulder + [0.08, 0, 0.22]
        place[f"{side}_ear"] = head + [-0.06, 0.07 * y, 0]
        place[f"{side}_mouth"] = head + [0.02, 0.03 * y, -0.06]
        for part, out in (("eye_inner", 0.02), ("eye", 0.03), ("eye_outer", 0.045)):
            place[f"{side}_{part}"] = head + [0.02, out * y, 0.03]
    place["nose"] = shoulder + [0.12, 0, 0.21]
    return np.array([place[name] for name in NAMES])
