"""The client against a real server, which KINEBASE_URL and KINEBASE_TOKEN name: python server.py"""

import asyncio
import datetime
import math
import os
import tempfile
import time
import unittest

import httpx
from tusclient.client import TusClient

import kinebase

FRAMES = 250


def walk(shift, frames=FRAMES):
    """A TRC file of two markers in millimetres; B is missing in every fifth frame."""
    lines = [
        "PathFileType\t4\t(X/Y/Z)\twalk.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"100\t100\t{frames}\t2\tmm\t100\t1\t{frames}",
        "Frame#\tTime\tA\t\t\tB\t\t",
        "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
        "",
    ]
    for i in range(frames):
        b = "\t\t" if i % 5 == 0 else f"{i}\t{2 * i}\t{3 * i}"
        lines.append(f"{i + 1}\t{i / 100:.2f}\t{i + shift}\t{1000}\t{-i}\t{b}")
    return "\n".join(lines) + "\n"


class BadLine(httpx.HTTPTransport):
    """A line that takes only half of each of the first pieces."""

    def __init__(self, breaks):
        super().__init__()
        self.breaks = breaks

    def handle_request(self, request):
        if request.method == "PATCH" and self.breaks > 0:
            self.breaks -= 1
            half = request.read()[: int(request.headers["Content-Length"]) // 2]

            def cut():
                yield half
                raise httpx.WriteError("the line broke")

            request.stream = Cut(cut())
        return super().handle_request(request)


class Cut(httpx.SyncByteStream):
    def __init__(self, parts):
        self.parts = parts

    def __iter__(self):
        return self.parts


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = kinebase.Client()
        cls.folder = tempfile.TemporaryDirectory()
        cls.person = cls.client.athletes.create("Ann", last_name="Émile", height=70, custom_attributes={"team": "red"})

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.folder.cleanup()

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_a_file_comes_back_as_the_numbers_that_it_had_in_every_form(self):
        told = []
        capture = self.client.captures.upload(
            self.file("walk.trc", walk(0)), athlete_ids=[self.person["id"]], activity="squat", movement="single_leg",
            dimensions={"footedness": "left"}, capture_time="2026-03-04T05:06:07Z", progress=lambda *p: told.append(p),
        )  # fmt: skip
        self.assertEqual(
            (capture["status"], capture["fps_detected"], capture["footedness"]), ("completed", 100, "left")
        )
        self.assertEqual(told[-1][0], told[-1][1])
        frames = self.client.captures.frames(capture["session_id"], channels=["A", "B"])
        columns = frames.columns()
        self.assertEqual([round(x, 6) for x in columns["A_x"]], [i / 1000 for i in range(FRAMES)])
        self.assertEqual([i for i, x in enumerate(columns["B_z"]) if x is None], list(range(0, FRAMES, 5)))
        pandas, polars, arrow = frames.to_pandas(), frames.to_polars(), frames.to_arrow()
        self.assertEqual(list(pandas), list(columns))
        self.assertEqual((polars.columns, arrow.column_names), (list(columns), list(columns)))
        for name in columns:
            for other in (pandas[name].tolist(), polars[name].to_list(), arrow[name].to_pylist()):
                for a, b in zip(columns[name], other):
                    missing = b is None or (isinstance(b, float) and math.isnan(b))
                    self.assertTrue(missing if a is None else abs(a - b) <= 1e-6 * max(1, abs(a)), (name, a, b))
        few = self.client.captures.frames(capture["session_id"], channels=["A"], start=10, stop=20, every=5).columns()
        self.assertEqual(few["frame"], [10, 15])
        self.assertEqual(self.client.captures.motion(capture["session_id"])["frames"], FRAMES)

    def sent(self, session):
        """The file of a capture as the server has it."""
        token = {"Authorization": "Bearer " + os.environ["KINEBASE_TOKEN"]}
        return httpx.get(f"{os.environ['KINEBASE_URL']}/captures/{session}/file", headers=token).text

    def test_a_large_file_goes_in_pieces_over_a_line_that_breaks(self):
        text, told = walk(3, 60_000), []
        with kinebase.Client(transport=BadLine(3)) as client:
            capture = client.captures.upload(self.file("long.trc", text), progress=lambda *p: told.append(p))
        self.assertEqual((capture["status"], told[-1]), ("completed", (len(text), len(text))))
        self.assertEqual(self.sent(capture["session_id"]), text)

    def test_the_public_client_of_tus_goes_on_where_another_one_stopped(self):
        text = walk(4)
        path = self.file("tus.trc", text)
        token = {"Authorization": "Bearer " + os.environ["KINEBASE_TOKEN"]}
        place = httpx.post(
            os.environ["KINEBASE_URL"] + "/captures?include=resumable",
            headers=token,
            json={"file_name": "tus.trc", "file_size": len(text)},
        ).json()
        server = TusClient(os.environ["KINEBASE_URL"])
        first = server.uploader(path, url=place["upload_resumable_url"], chunk_size=1000, upload_checksum=True)
        first.upload(stop_at=3000)
        second = server.uploader(path, url=place["upload_resumable_url"], chunk_size=1500, upload_checksum=True)
        self.assertEqual(second.offset, 3000)
        second.upload()
        for _ in range(600):
            capture = self.client.captures.get(place["session_id"])
            if capture["status"] not in ("awaiting_upload", "processing"):
                break
            time.sleep(0.1)
        self.assertEqual(capture["status"], "completed")
        self.assertEqual(self.sent(place["session_id"]), text)

    def test_a_link_shows_its_captures_and_their_bones(self):
        capture = self.client.captures.upload(self.file("shared.trc", walk(7)))
        points = [{"name": "drawn", "bones": [["A", "B"]]}]
        token = {"Authorization": "Bearer " + os.environ["KINEBASE_TOKEN"]}
        httpx.put(os.environ["KINEBASE_URL"] + "/skeletons", headers=token, json={"skeletons": points})
        self.assertEqual(self.client.skeletons(), points)
        share = self.client.shares.create(capture["session_id"], name="For a visitor")
        with kinebase.Visitor(share["secret"]) as visitor:
            self.assertEqual([c["session_id"] for c in visitor.shared()["captures"]], ["1"])
            self.assertEqual(visitor.captures.get("1")["status"], "completed")
            self.assertEqual(visitor.captures.motion("1")["frames"], FRAMES)
            self.assertEqual(visitor.captures.frames("1", stop=2).columns()["frame"], [0, 1])
            self.assertEqual([s["bones"] for s in visitor.skeletons()], [[["A", "B"]]])
            with self.assertRaises(kinebase.NotFound):
                visitor.captures.get("2")
            (listed,) = [s for s in self.client.shares.list() if s["id"] == share["id"]]
            self.assertEqual((listed["uses"], "secret" in listed), (1, False))
            self.client.shares.delete(share["id"])
            with self.assertRaises(kinebase.NotFound):
                visitor.shared()

    def test_a_link_to_progress_shows_its_metric(self):
        athlete = self.client.athletes.create(first_name="Linked")
        capture = self.client.captures.upload(
            self.file("progress.trc", walk(8)), athlete_ids=athlete["id"], activity="jump", movement="countermovement",
            dimensions={"arm_position": "arm-swing"},
        )  # fmt: skip
        course = {"athlete_id": athlete["id"], "activity": "jump", "movement": "countermovement", "metric": "jump_height"}
        share = self.client.shares.create(kind="progress", progress=course)
        self.assertEqual((share["captures"], share["progress"]), ([], course))
        with kinebase.Visitor(share["secret"]) as visitor:
            shown = visitor.shared()["progress"]
            self.assertEqual((shown["metric"], shown["athlete_id"] == athlete["id"]), ("jump_height", False))
            (row,) = visitor.metrics()
            self.assertEqual((row["session_id"], list(row["metrics"])), ("1", ["jump_height"]))
            with self.assertRaises(kinebase.NotFound):
                visitor.captures.get(capture["session_id"])

    def test_lists_are_tables_with_times(self):
        for n in range(3):
            self.client.captures.upload(
                self.file(f"list{n}.trc", walk(n)),
                activity="lunge",
                movement="side",
                capture_time=datetime.date(2026, 2, n + 1),
            )
        listed = self.client.captures.list(activity="lunge", include=["file"], page_size=2)
        self.assertEqual([c["file_name"] for c in listed], ["list2.trc", "list1.trc", "list0.trc"])
        frame = listed.to_pandas()
        self.assertEqual(
            (len(frame), str(frame["capture_time"].dt.tz), frame["capture_time"].iloc[2].day), (3, "UTC", 1)
        )
        self.assertEqual(listed.to_polars().height, 3)
        self.assertEqual(listed.to_arrow().num_rows, 3)
        arrow = listed.to_arrow().schema
        self.assertEqual(str(arrow.field("capture_time").type), "timestamp[us, tz=UTC]")
        people = self.client.athletes.create("Day", date_of_birth=datetime.date(1967, 3, 28))
        born = self.client.athletes.list(q="Day").to_pandas()["date_of_birth"]
        self.assertEqual([str(day) for day in born], ["1967-03-28"])
        self.client.athletes.delete(people["id"])
        nothing = self.client.captures.list(activity="nonesuch")
        for columns in (list(nothing.to_pandas()), nothing.to_polars().columns, nothing.to_arrow().column_names):
            self.assertEqual(columns[:2], ["session_id", "athlete_id"])
        between = self.client.captures.list(
            activity="lunge", captured_from="2026-02-02", captured_to="2026-02-03", include=["file"]
        )
        self.assertEqual([c["file_name"] for c in between], ["list1.trc"])
        oldest = self.client.captures.list(activity="lunge", include=["file"], order="oldest", page_size=2)
        self.assertEqual([c["file_name"] for c in oldest], ["list0.trc", "list1.trc", "list2.trc"])
        self.assertEqual([a["id"] for a in self.client.athletes.list(attributes={"team": "red"})], [self.person["id"]])

    def test_an_export_is_a_table_and_a_file(self):
        self.client.captures.upload(
            self.file("out.trc", walk(5)), activity="golf", movement="swing", athlete_ids=[self.person["id"]]
        )
        export = self.client.export(activity="golf")
        self.assertEqual(export.estimate()["rows"], FRAMES)
        self.assertEqual(len(export.to_pandas()), FRAMES)
        self.assertEqual(self.client.export(activity="golf", shape="captures").to_polars().height, 1)
        path = os.path.join(self.folder.name, "golf.csv")
        self.assertEqual(export.save(path)["rowCount"], FRAMES)
        with open(path) as file:
            self.assertEqual(sum(1 for _ in file), FRAMES + 1)
        with self.assertRaises(ValueError):
            self.client.exports.download("x", "golf.xlsx")
        job = self.client.exports.wait(export.start()["jobId"])
        self.client.exports.delete(job["jobId"])
        with self.assertRaises(kinebase.NotFound):
            self.client.exports.get(job["jobId"])

    def test_two_athletes_become_one(self):
        one, other = self.client.athletes.create("One"), self.client.athletes.create("Other", last_name="Rivera")
        capture = self.client.captures.upload(self.file("one.trc", walk(2)), athlete_ids=[other["id"]])
        merged = self.client.athletes.merge(one["id"], other["id"])
        self.assertEqual((merged["id"], merged["first_name"], merged["last_name"]), (one["id"], "One", "Rivera"))
        self.assertEqual(self.client.captures.get(capture["session_id"])["athlete_id"], one["id"])
        with self.assertRaises(kinebase.NotFound):
            self.client.athletes.get(other["id"])
        with self.assertRaises(kinebase.BadRequest):
            self.client.athletes.merge(one["id"], other["id"])

    def test_an_athletes_metrics_are_a_table(self):
        self.client.captures.upload(
            self.file("m.trc", walk(9)), activity="jump", movement="broad", athlete_ids=[self.person["id"]]
        )
        rows = list(self.client.athletes.metrics(self.person["id"], activity="jump"))
        self.assertEqual((len(rows), rows[0]["activity"]), (1, "jump"))
        self.assertIn("capture_time", self.client.athletes.metrics(self.person["id"]).to_pandas())

    def test_a_folder_is_sent_and_says_what_could_not_be_read(self):
        folder = os.path.join(self.folder.name, "folder", "deeper")
        os.makedirs(folder)
        for name, text in {"a.trc": walk(1), "b.csv": "name\nno numbers\n", "notes.txt": "no motion"}.items():
            self.file(os.path.join("folder", "deeper", name), text)
        done = []
        sent = self.client.captures.upload_folder(
            os.path.join(self.folder.name, "folder"), at_once=2, activity="tennis", progress=lambda *p: done.append(p)
        )
        self.assertEqual([os.path.basename(s.path) for s in sent], ["a.trc", "b.csv"])
        self.assertEqual(sent[0].capture["status"], "completed")
        self.assertIsInstance(sent[1].error, kinebase.CaptureFailed)
        self.assertEqual(done, [(1, 2), (2, 2)])

    def test_changes_name_what_is_new_and_what_is_gone(self):
        made = self.client.athletes.create("Gone")
        cursor = None
        for page in self.client.changes(kinds=["athlete"], page_size=1):
            cursor = page["cursor"]
        self.assertEqual([c["id"] for p in self.client.changes(cursor, kinds="athlete") for c in p["changes"]], [])
        with self.assertRaises(kinebase.Gone):  # the pages before passed over the changes of other kinds
            list(self.client.changes(cursor))
        self.client.athletes.update(made["id"], weight=150)
        self.client.athletes.delete(made["id"])
        said = [(c["id"], c["change"]) for p in self.client.changes(cursor, kinds=["athlete"]) for c in p["changes"]]
        self.assertEqual(said, [(made["id"], "deleted")])
        with self.assertRaises(kinebase.NotFound):
            self.client.athletes.get(made["id"])

    def test_the_asynchronous_client_does_all_of_it_too(self):
        path = self.file("async.trc", walk(3))

        async def run():
            async with kinebase.AsyncClient() as c:
                capture = await c.captures.upload(path, activity="plank")
                columns = await c.captures.frames(capture["session_id"], channels=["A"]).columns()
                names = [x["session_id"] async for x in c.captures.list(activity="plank")]
                table = await c.export(activity="plank").to_pandas()
                changed = [p async for p in c.changes(kinds=["capture"])]
                await c.captures.delete(capture["session_id"])
                return capture["session_id"], columns["A_x"][7], names, len(table), changed[-1]["more"]

        session, x, names, rows, more = asyncio.run(run())
        self.assertEqual((names, round(x, 6), rows, more), ([session], 0.01, FRAMES, False))


if __name__ == "__main__":
    unittest.main()
