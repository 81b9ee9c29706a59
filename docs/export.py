#!/usr/bin/env python3
"""Export from Kinebase with nothing but Python's standard library (3.8 or later).

    export KINEBASE_URL=http://127.0.0.1:8080/v1 KINEBASE_TOKEN=kb_…
    python3 export.py FILE [REQUEST]
    python3 export.py FILE --job ID

asks for an export, waits until it has been built, and gets its result: as a file when
FILE ends with .csv, .ndjson or .parquet, and page by page when it ends with .json.
REQUEST is the body of POST /data/export, such as '{"activity": "golf"}'; without one
everything is exported. With --job the result is that of an export that there is.
"""
import collections
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

KINDS = {".csv": "text/csv", ".ndjson": "application/x-ndjson", ".parquet": "application/vnd.apache.parquet"}


def ask(path, body=None, **headers):
    """Ask, and ask again when the server says that it has no time now."""
    headers = {"Accept": "application/json", "Authorization": "Bearer " + os.environ["KINEBASE_TOKEN"], **headers}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    while True:
        request = urllib.request.Request(os.environ["KINEBASE_URL"].rstrip("/") + path, data, headers)
        try:
            return urllib.request.urlopen(request, timeout=120)
        except urllib.error.HTTPError as answer:
            if answer.code not in (429, 503):
                raise SystemExit("%d: %s" % (answer.code, json.load(answer)["message"]))
            time.sleep(int(answer.headers.get("Retry-After", 1)))


def wait(job):
    while job["status"] == "RUNNING":
        print("%3.0f %%" % (100 * job.get("progress", 0)), file=sys.stderr)
        time.sleep(0.5)
        job = json.load(ask("/data/export/job/" + job["jobId"]))
    if job["status"] != "COMPLETED":
        raise SystemExit("%s: %s" % (job["status"], job.get("errorMessage", "there is no result")))
    skipped = job.get("skipped", [])
    if job.get("skippedCount", 0) > len(skipped):
        print("captures left out: %d; of %d of them that the server names:" % (job["skippedCount"], len(skipped)), file=sys.stderr)
    for reason, many in collections.Counter(skip["reason"] for skip in skipped).most_common():
        print("captures left out: %d: %s" % (many, reason), file=sys.stderr)
    if job.get("rowCount") == 0:
        print("the export has no rows: no capture with motion fits what was asked for", file=sys.stderr)


def download(path, kind, out):
    """Get a file; when it breaks off, go on where it did, unless it is another by now.

    Until the server keeps the file it is given from its beginning each time.
    """
    tag, failures = "", 0
    while True:
        headers = {"Accept": kind}
        if tag:
            headers.update({"Range": "bytes=%d-" % out.tell(), "If-Range": tag})
        try:
            answer = ask(path, **headers)
            if answer.status != 206:  # all of it
                out.seek(0)
                out.truncate()
            tag, left = answer.headers["ETag"], answer.headers["Content-Length"]
            begun = out.tell()
            while True:
                piece = answer.read(1 << 16)
                if not piece:
                    break
                failures = 0
                out.write(piece)
            # Python does not tell of itself that bytes are missing of so many.
            if left is None or out.tell() - begun == int(left):
                return
        except (http.client.HTTPException, OSError) as error:
            print("broken off:", error, file=sys.stderr)
        failures += 1
        if failures == 10:
            raise SystemExit("the connection broke off again and again")
        time.sleep(1)


def pages(path):
    """Get all rows, 500 at a time; from the first on when some were deleted meanwhile."""
    rows, total, offset = [], None, 0
    while offset is not None:
        page = json.load(ask("%s?limit=500&offset=%d" % (path, offset)))
        if total not in (None, page["total_count"]):
            rows, total, offset = [], None, 0
            continue
        rows, total, offset = rows + page["results"], page["total_count"], page["next_offset"]
    return rows


def main(name, request="{}", job=None):
    ending = os.path.splitext(name)[1]
    if ending != ".json" and ending not in KINDS:
        raise SystemExit(__doc__)
    if request == "--job":
        job = json.load(ask("/data/export/job/" + job))
    else:
        job = json.load(ask("/data/export", json.loads(request)))
    wait(job)
    path = "/data/export/job/%s/results" % job["jobId"]
    part = name + ".part"
    with open(part, "wb") as out:
        if ending == ".json":
            out.write(json.dumps(pages(path)).encode())
        else:
            download(path, KINDS[ending], out)
    os.replace(part, name)
    print(job["jobId"])


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
