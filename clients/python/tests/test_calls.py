"""What the client sends, and what it makes of answers, without a server."""

import asyncio
import inspect
import json
import os
import sys
import tempfile
import unittest

import httpx

import kinebase
from kinebase import _flows as flows

BUSY = (
    503,
    {"Retry-After": "3"},
    {"error": "ServiceUnavailable", "message": "The server is busy. Nothing was changed."},
)
PERSON = (200, {}, {"athlete": {"id": "a"}})


def replies(*answers):
    """A transport that gives these answers in turn, and the requests that it was asked."""
    asked = []
    left = list(answers)

    def handle(request):
        request.read()
        asked.append(request)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, headers, body = answer
        return httpx.Response(status, headers=headers, json=body)

    return httpx.MockTransport(handle), asked


def client(transport, waits=None, **more):
    return kinebase.Client(
        "http://x/v1", "kb_secret", transport=transport, sleep=(waits if waits is not None else []).append, **more
    )


class Calls(unittest.TestCase):
    def test_a_busy_server_is_asked_again_when_it_says_and_creates_once(self):
        transport, asked = replies(BUSY, httpx.ReadError("cut"), PERSON)
        waits = []
        self.assertEqual(client(transport, waits).athletes.create("Ann"), {"id": "a"})
        self.assertEqual(len({r.headers["Idempotency-Key"] for r in asked}), 1)
        self.assertEqual(waits[0], 3)
        self.assertEqual([json.loads(r.content) for r in asked], [{"first_name": "Ann"}] * 3)

    def test_a_deletion_is_not_made_again_when_its_answer_is_lost(self):
        transport, asked = replies(httpx.ReadError("cut"), (404, {}, {"error": "NotFound", "message": "no"}))
        with self.assertRaises(kinebase.NoAnswer):
            client(transport).athletes.delete("a")
        self.assertEqual(len(asked), 1)

    def test_a_wait_that_is_too_long_is_not_made(self):
        transport, _ = replies((429, {"Retry-After": "90"}, {"error": "TooManyRequests", "message": "slow down"}))
        waits = []
        with self.assertRaises(kinebase.Busy) as refused:
            client(transport, waits).captures.get("c")
        self.assertEqual((refused.exception.retry_after, waits), (90, []))

    def test_it_gives_up_after_as_many_repetitions_as_are_allowed(self):
        transport, asked = replies(*[BUSY] * 3)
        with self.assertRaises(kinebase.Busy):
            client(transport, retry=kinebase.Retry(times=2)).captures.get("c")
        self.assertEqual(len(asked), 3)

    def test_each_refusal_is_an_exception_of_its_kind_with_what_the_server_said(self):
        for status, kind in {400: kinebase.BadRequest, 401: kinebase.Unauthorized, 403: kinebase.Forbidden, 404: kinebase.NotFound,
                             409: kinebase.Conflict, 410: kinebase.Gone, 412: kinebase.Conflict, 500: kinebase.KinebaseError}.items():  # fmt: skip
            transport, _ = replies(
                (status, {"X-Request-Id": "r-1"}, {"error": "E", "message": "m", "messages": "a; b"})
            )
            with self.assertRaises(kind) as refused:
                client(transport).captures.get("c")
            e = refused.exception
            self.assertEqual((e.status, e.code, e.message, e.messages, e.request_id), (status, "E", "m", "a; b", "r-1"))

    def test_an_answer_that_is_no_json_is_an_error_too(self):
        for status in (200, 502):
            transport = httpx.MockTransport(lambda request: httpx.Response(status, text="<html>"))
            with self.assertRaises(kinebase.KinebaseError):
                client(transport).captures.get("c")

    def test_a_name_alone_is_a_list_of_one(self):
        transport, asked = replies(*[(200, {}, {"captures": [], "next_offset": None})] * 2, (200, {}, {"jobId": "j"}))
        c = client(transport)
        list(c.captures.list(include="file"))
        list(c.athletes.metrics("a", metric="jump_height"))
        c.export(metrics="jump_height", athletes="a").start()
        self.assertEqual((asked[0].url.params["include"], asked[1].url.params["metric"]), ("next,file", "jump_height"))
        self.assertEqual(json.loads(asked[2].content), {"metrics": ["jump_height"], "athletes": ["a"]})

    def test_no_capture_is_not_all_captures(self):
        transport, asked = replies(*[(200, {}, {"jobId": "j"})] * 3)
        for captures in ["s_1", [], None]:
            client(transport).export(captures=captures).start()
        self.assertEqual([json.loads(a.content) for a in asked], [{"captures": ["s_1"]}, {"captures": []}, {}])

    def test_a_lost_connection_names_the_address_and_the_call(self):
        transport, _ = replies(httpx.ConnectError("refused"))
        with self.assertRaisesRegex(kinebase.NoAnswer, "^no answer to DELETE http://x/v1/captures/c: refused$"):
            client(transport).captures.delete("c")

    def test_an_empty_token_is_none_and_not_that_of_the_environment(self):
        with self.assertRaisesRegex(ValueError, "token"):
            kinebase.Client("http://x", "")

    def test_what_is_no_folder_is_an_error(self):
        with self.assertRaises(NotADirectoryError):
            client(None).captures.upload_folder("/nowhere/at/all")

    def test_ids_are_escaped_and_the_token_goes_to_the_server_alone(self):
        place = {"session_id": "s/1", "upload_url": "http://bucket/up", "upload_fields": {"key": "k"}}
        transport, asked = replies((200, {}, place), (204, {}, None), (200, {}, {"status": "completed"}))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "walk.trc")
            with open(path, "w") as file:
                file.write("frames")
            told = []
            client(transport).captures.upload(
                path, activity="squat", dimensions={"footedness": "left"}, progress=lambda *p: told.append(p)
            )
        self.assertEqual(
            json.loads(asked[0].content),
            {"file_name": "walk.trc", "movement_attributes": {"activity": "squat", "footedness": "left"}},
        )
        self.assertEqual((str(asked[1].url), "Authorization" in asked[1].headers), ("http://bucket/up", False))
        self.assertTrue(asked[1].content.index(b'name="key"') < asked[1].content.index(b"frames"))
        self.assertEqual(told[-1], (6, 6))
        self.assertEqual(asked[2].url.raw_path, b"/v1/captures/s%2F1")

    def test_a_large_file_goes_on_in_pieces_where_it_broke_off(self):
        size = flows.PIECE + 100
        place = {"session_id": "s", "upload_resumable_url": "http://x/v1/uploads/p", "upload_fields": {}}
        transport, asked = replies(
            (200, {}, place),
            (200, {}, {"offset": 0}),
            httpx.WriteError("cut"),  # 1000 bytes came
            (200, {}, {"offset": 1000}),
            (409, {}, {"error": "Conflict", "message": "elsewhere"}),
            (200, {}, {"offset": 2000}),
            (204, {}, None),  # up to PIECE + 100, which is all
            (200, {}, {"status": "completed"}),
        )
        told, waits = [], []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "walk.trc")
            with open(path, "wb") as file:
                file.write(bytes(i % 251 for i in range(size)))
            with open(path, "rb") as file:
                text = file.read()
            client(transport, waits).captures.upload(path, progress=lambda *p: told.append(p))
        self.assertEqual(json.loads(asked[0].content), {"file_name": "walk.trc", "file_size": size})
        self.assertEqual(asked[0].url.query, b"include=resumable")
        sent = [r for r in asked if r.method == "PATCH"]
        self.assertEqual([r.headers["Upload-Offset"] for r in sent], ["0", "1000", "2000"])
        for r in sent:
            at = int(r.headers["Upload-Offset"])
            self.assertEqual(r.content, text[at : at + flows.PIECE])
            self.assertEqual((r.headers["Tus-Resumable"], "Authorization" in r.headers), ("1.0.0", False))
        self.assertEqual(told[-1], (size, size))

    def test_a_large_file_that_does_not_come_is_given_up(self):
        place = {"session_id": "s", "upload_resumable_url": "http://x/v1/uploads/p", "upload_fields": {}}
        transport, asked = replies(
            (200, {}, place), (200, {}, {"offset": 0}), (410, {}, {"error": "Gone", "message": "ended"})
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "walk.trc")
            with open(path, "wb") as file:
                file.write(bytes(flows.WHOLE + 1))
            with self.assertRaises(kinebase.Gone):
                client(transport).captures.upload(path)
            self.assertEqual(len(asked), 3)
            broken = [(200, {}, place)] + [(200, {}, {"offset": 0}), httpx.WriteError("cut")] * (flows.FRUITLESS + 1)
            transport, asked = replies(*broken)
            with self.assertRaises(kinebase.NoAnswer):
                client(transport).captures.upload(path)
            self.assertEqual(len(asked), len(broken))

    def test_a_list_is_read_to_its_end(self):
        pages = [(200, {}, {"captures": [{"n": n}], "next_offset": n + 1 if n < 3 else None}) for n in range(4)]
        transport, asked = replies(*pages)
        rows = list(client(transport).captures.list(activity="jump", include=["file"]))
        self.assertEqual([r["n"] for r in rows], [0, 1, 2, 3])
        self.assertEqual([r.url.params["offset"] for r in asked], ["0", "1", "2", "3"])
        self.assertEqual(asked[0].url.params["include"], "next,file")

    def test_a_long_recording_is_read_in_as_many_calls_as_its_values_need(self):
        asked = []
        rows, every = 700_001, 3

        def handle(request):
            q = request.url.params
            first, stop, step = int(q["from"]), int(q.get("to", rows)), int(q["every"])
            asked.append((first, stop, step))
            got = list(range(first, stop, step))
            self.assertLessEqual(len(got) * 3, 1_000_000)
            columns = {"frame": got, "time": got, "x": got}
            return httpx.Response(200, json={"from": first, "to": stop, "frames": len(got), "columns": columns})

        columns = client(httpx.MockTransport(handle)).captures.frames("c", start=1, every=every).columns()
        self.assertEqual(columns["x"], list(range(1, rows, every)))
        asked.clear()
        self.assertEqual(client(httpx.MockTransport(handle)).captures.frames("c").columns()["x"], list(range(rows)))
        self.assertGreater(len(asked), 2)

    def test_an_export_that_fails_says_why_and_leaves_no_file(self):
        transport, _ = replies((200, {}, {"jobId": "j", "status": "RUNNING"}), (200, {}, {"status": "RUNNING", "progress": 0.5}),
                               (200, {}, {"status": "FAILED", "errorMessage": "too large"}))  # fmt: skip
        told = []
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(kinebase.ExportFailed) as failed:
            client(transport).export(activity="x", progress=lambda *p: told.append(p)).save(
                os.path.join(folder, "x.csv")
            )
        self.assertEqual((str(failed.exception), told[0]), ("too large", (5000, 10_000)))

    def test_changes_go_on_after_the_cursor_until_there_are_no_more(self):
        pages = [(200, {}, {"changes": [{"id": i}], "cursor": f"c{i}", "more": i < 2}) for i in range(3)]
        transport, asked = replies(*pages)
        self.assertEqual(
            [p["cursor"] for p in client(transport).changes("c", kinds=["capture", "athlete"], objects=True)],
            ["c0", "c1", "c2"],
        )
        self.assertEqual([r.url.params["after"] for r in asked], ["c", "c0", "c1"])
        self.assertEqual((asked[0].url.params["kind"], asked[0].url.params["include"]), ("capture,athlete", "object"))

    def test_where_and_who_come_from_the_environment_and_are_asked_for_when_they_do_not(self):
        for name in ("KINEBASE_URL", "KINEBASE_TOKEN"):
            left = {"KINEBASE_URL": "http://x", "KINEBASE_TOKEN": "t"}
            del left[name]
            before = {n: os.environ.pop(n, None) for n in ("KINEBASE_URL", "KINEBASE_TOKEN")}
            os.environ.update(left)
            try:
                with self.assertRaisesRegex(ValueError, name):
                    kinebase.Client()
            finally:
                for n, value in before.items():
                    os.environ.pop(n, None)
                    if value is not None:
                        os.environ[n] = value

    def test_both_clients_have_the_same_methods_with_the_same_parameters(self):
        one, other = client(httpx.MockTransport(None)), kinebase.AsyncClient("http://x", "t")
        kinds = [(one, other), (one.captures, other.captures), (one.athletes, other.athletes), (one.exports, other.exports),
                 (one.captures.list(), other.captures.list()), (one.captures.frames("c"), other.captures.frames("c")),
                 (one.export(), other.export())]  # fmt: skip
        for a, b in kinds:
            self.assertEqual(shape(a), shape(b))


class Mirror(unittest.TestCase):
    def test_the_synchronous_client_is_the_asynchronous_one_without_waiting(self):
        sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
        import mirror

        files = {file.name: file.read_text(encoding="utf-8") for file in (mirror.PLACE / "_sync").glob("*.py")}
        self.assertEqual(files, mirror.mirrored(), "_sync/ is not what _async/ says: python mirror.py writes it")


def shape(thing):
    found = {}
    for name, method in inspect.getmembers(type(thing), inspect.isfunction):
        if not name.startswith("_"):
            found[name] = list(inspect.signature(method).parameters)
    return found


class Async(unittest.TestCase):
    def test_the_asynchronous_client_does_the_same(self):
        transport, asked = replies(BUSY, PERSON)
        waits = []

        async def pause(seconds):
            waits.append(seconds)

        async def run():
            async with kinebase.AsyncClient("http://x/v1", "t", transport=transport, sleep=pause) as c:
                return await c.athletes.create("Ann")

        self.assertEqual((asyncio.run(run()), waits), ({"id": "a"}, [3]))
        self.assertEqual(len({r.headers["Idempotency-Key"] for r in asked}), 1)


if __name__ == "__main__":
    unittest.main()
