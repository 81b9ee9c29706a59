"""Prints what ezc3d finds on the force platforms of the C3D files named, as JSON: for each file a list of
platforms, each with the force and the centre of pressure of every sample, in the units of the file."""

import json
import sys

from ezc3d import c3d


def platforms(path):
    found = c3d(path, extract_forceplat_data=True)["data"]["platform"]
    return [{"force": p["force"].T.tolist(), "cop": p["center_of_pressure"].T.tolist()} for p in found]


print(json.dumps([platforms(path) for path in sys.argv[1:]]))
