package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/upload"
)

// An export is of captures of 5,000 frames with 13 markers and an angle, 40 columns
// of numbers; of so many tables are there files, in turn.
const (
	exportFrames = 5000
	exportTables = 100
	exportOrg    = "0190f0e5-7b1c-7cc3-98c4-000000000009"
)

// folderFiles is a folder of tables.
type folderFiles string

type folderFile struct {
	*os.File
	size int64
}

func (f folderFile) Size() int64 { return f.size }

func (folderFiles) Put(context.Context, string, io.Reader, int64) (int64, error) {
	return 0, errors.New("nothing is put here")
}

func (folderFiles) Erase(context.Context, string) error { return errors.New("nothing is erased here") }

func (d folderFiles) Open(_ context.Context, name string) (upload.File, error) {
	f, err := os.Open(filepath.Join(string(d), name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return folderFile{f, info.Size()}, nil
}

// walk is somebody who walks, a little differently every time.
type walk struct{ *motion.Recording }

func (w walk) Stretch(from, n int) (*motion.Recording, error) {
	r := *w.Recording
	r.Frames, r.Points, r.Angles = n, append([]record.Point{}, r.Points...), append([]record.Channel{}, r.Angles...)
	for i := range r.Points {
		p := &r.Points[i]
		p.X, p.Y, p.Z = p.X[from:from+n], p.Y[from:from+n], p.Z[from:from+n]
	}
	for i := range r.Angles {
		r.Angles[i].Values = r.Angles[i].Values[from : from+n]
	}
	return &r, nil
}

func newWalk(seed uint64) walk {
	r := rand.New(rand.NewPCG(seed, 7))
	column := func() []float32 {
		v, phase, hole := make([]float32, exportFrames), r.Float64()*6, -1
		for i := range v {
			if v[i] = float32(900 + 400*math.Sin(phase+float64(i)/40) + r.NormFloat64()); r.IntN(2000) == 0 {
				hole = i + r.IntN(100)
			}
			if i < hole {
				v[i] = float32(math.NaN())
			}
		}
		return v
	}
	rec := &motion.Recording{Rate: 200, Frames: exportFrames, Unit: "mm", Metres: 0.001,
		Angles: []record.Channel{{Name: "knee", PerFrame: 1, Rate: 200, Values: column()}}}
	for i := range 13 {
		rec.Points = append(rec.Points, record.Point{Name: fmt.Sprint("M", i), Quantity: record.Position, X: column(),
			Y: column(), Z: column()})
	}
	return walk{rec}
}

func tableName(i int) string { return fmt.Sprintf("t%03d.parquet", i%exportTables) }

// madeExport is an export of rows over tables in a folder, and the reader of it.
func madeExport(dir string, rows int64) (*export.Reader, export.Result, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "info.json"))
	if err != nil {
		return nil, export.Result{}, err
	}
	var info frames.Info
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, export.Result{}, err
	}
	names, _ := info.Measures()
	activity, movement, fps, at := "golf", "swing", 200.0, time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	result := export.Result{Rows: rows, Columns: export.Columns{Dimensions: []string{"handedness"}}}
	for _, name := range names {
		result.Columns.Own = append(result.Columns.Own,
			export.Column{Name: name, From: export.Origin{Kind: export.Number, Name: name}})
	}
	return export.NewReader(folderFiles(dir), exportOrg, result, func(row int64) ([]export.Part, error) {
		var parts []export.Part
		for i := row / exportFrames; len(parts) < 200 && i*exportFrames < rows; i++ {
			parts = append(parts, export.Part{
				Source: &export.Source{
					SessionID: fmt.Sprintf("0190f0e5-7b1c-7cc3-98c4-%012d_1", i), Activity: &activity,
					Movement:   &movement,
					Dimensions: map[string]string{"handedness": "left"}, CaptureTime: &at, FPS: &fps,
					Table: tableName(int(i)), Info: raw,
				},
				First: i * exportFrames, Rows: min(exportFrames, rows-i*exportFrames), AthleteID: exportOrg,
				Athlete: "Ann Archer",
			})
		}
		return parts, nil
	}), result, nil
}

// export is the job of a child: it writes one form of an export, or times a page, and
// says how long it took and how much memory it had.
func (j job) export() error {
	r, result, err := madeExport(j.Data, int64(j.Batch))
	if err != nil {
		return err
	}
	took := 0.0
	if offset, page := strings.CutPrefix(j.Tables, "page "); page {
		at, err := strconv.ParseInt(offset, 10, 64)
		if err != nil {
			return err
		}
		var all []float64
		var answer []byte
		for range 60 {
			t, err := seconds(func() (err error) {
				answer, err = export.AppendPage(context.Background(), answer[:0], r, at, 500)
				return err
			})
			if err != nil {
				return err
			}
			all = append(all, t)
		}
		if n := bytes.Count(answer, []byte(`"sessionid"`)); n != int(min(500, result.Rows-at)) {
			return fmt.Errorf("a page at %d has %d rows", at, n)
		}
		took = median(all)
	} else {
		f, err := os.Create(filepath.Join(j.Data, "out."+j.Tables))
		if err != nil {
			return err
		}
		took, err = seconds(func() error {
			switch j.Tables {
			case "csv":
				return export.WriteCSV(context.Background(), f, r, export.Budget)
			case "ndjson":
				return export.WriteNDJSON(context.Background(), f, r, export.Budget)
			}
			return export.WriteParquet(context.Background(), f, r, export.Budget)
		})
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	most, err := peak("self")
	if err != nil {
		return err
	}
	fmt.Println(took, most)
	return nil
}

// exports measures giving out an export, each form in a process of its own. DuckDB,
// where BENCH_DUCKDB names a Python that has it, writes the same of the same tables.
func (b *bench) exports() (err error) {
	const head = "Exports: "
	if !b.wanted(head + "CSV NDJSON Parquet page") {
		return nil
	}
	if err := os.MkdirAll(folder(), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(folder(), "exports-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for i := range exportTables {
		f, err := os.Create(filepath.Join(dir, tableName(i)))
		if err != nil {
			return err
		}
		info, _, err := frames.Write(f, io.Discard, motion.C3D, exportFrames, newWalk(uint64(i)))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		raw, err := json.Marshal(info)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "info.json"), raw, 0o600); err != nil {
			return err
		}
	}
	rows, rounds := 10*b.captures, 1 // 10,000,000 rows, unless the run is a quick one
	if b.captures < 1_000_000 {
		rows, rounds = 100_000, b.rounds
	}
	child := func(form string) (took float64, most int64, err error) {
		c, err := start(job{Role: roleExport, Data: dir, Tables: form, Batch: rows})
		if err != nil {
			return 0, 0, err
		}
		line, err := c.line()
		if err := errors.Join(err, c.end()); err != nil {
			return 0, 0, err
		}
		_, err = fmt.Sscan(line, &took, &most)
		return took, most, err
	}
	goals := map[string]float64{"csv": 1, "parquet": 1.5}
	for _, form := range []string{"csv", "ndjson", "parquet"} {
		var ours, other []float64
		most := int64(0)
		for range rounds {
			took, peak, err := child(form)
			if err != nil {
				return err
			}
			ours, most = append(ours, took), max(most, peak)
			if python := os.Getenv("BENCH_DUCKDB"); python != "" && goals[form] > 0 {
				if took, err = duckdb(python, dir, form, rows); err != nil {
					return err
				}
				other = append(other, took)
			}
		}
		info, err := os.Stat(filepath.Join(dir, "out."+form))
		if err != nil {
			return err
		}
		r := row{operation: fmt.Sprintf("%s%s of %s rows × 40 columns of numbers, %s MB", head, form,
			thousands(int64(rows)), figure(float64(info.Size())/1e6)), ours: figure(float64(rows)/median(ours)) +
			" rows/s"}
		if other != nil {
			ratio := median(ours) / median(other)
			r.baseline, r.ratio = "DuckDB "+figure(float64(rows)/median(other))+" rows/s", figure(ratio)
			r.goal, r.met = judge(ratio, goals[form], atMost)
		}
		b.add(r)
		r = row{operation: head + form + ", peak memory of the process", ours: figure(float64(most)/(1<<20)) + " MiB"}
		r.goal, r.met = judge(float64(most)/(1<<20), 128, atMost)
		r.goal += " MiB"
		b.add(r)
		// All of them at once would want 26 GB of the disk.
		for _, name := range []string{"out.", "duck."} {
			if err := os.RemoveAll(filepath.Join(dir, name+form)); err != nil {
				return err
			}
		}
	}
	first, _, err := child("page 0")
	if err != nil {
		return err
	}
	late, _, err := child(fmt.Sprint("page ", rows/10*9))
	if err != nil {
		return err
	}
	b.times(fmt.Sprintf("%sa page of 500 rows at %s", head, thousands(int64(rows/10*9))), 1000*late, 1000*first,
		"the first page", 1.5)
	return nil
}

// duckdb has DuckDB write what the child writes.
func duckdb(python, dir, form string, rows int) (float64, error) {
	const script = `
import duckdb, sys, time, json
dir, form, rows, frames, tables, org = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
names = [c for ch in json.load(open(dir + "/info.json"))["channels"] for c in ch["columns"]]
lengths = {c for ch in json.load(open(dir + "/info.json"))["channels"] if ch["kind"] == "point" for c in ch["columns"]}
db = duckdb.connect()
db.execute("set enable_progress_bar = false")
# DuckDB reads a file that it is told twice only once, so each has as many names as there are captures of it.
n = (rows + frames - 1) // frames
import os
files = []
os.makedirs(dir + "/links", exist_ok=True)
for i in range(n):
    f = "%s/links/%07d.parquet" % (dir, i)
    if not os.path.exists(f): os.link("%s/t%03d.parquet" % (dir, i % tables), f)
    files.append(f)
db.execute("create table c (file varchar, session varchar, grp varchar)")
db.execute("insert into c select f, format('0190f0e5-7b1c-7cc3-98c4-{:012d}_1', i), format('0190f0e5-7b1c-7cc3-98c4-{:012d}', i) from (select unnest(?) f, unnest(range(?)) i)", [files, n])
own = ", ".join("(%s::double * 0.001)::float as %s" % (c, c) if c in lengths else c for c in names)
q = f"""select session as sessionid, grp as session_uuid, 1::bigint as session_seq, '{org}' as athleteid, 'Ann Archer' as athlete_name, '{org}' as orgid,
'golf' as activity, 'swing' as movement, 'left' as handedness, '2026-05-13T12:00:00.000Z' as capture_datetime, 200::double as fps, frame, time, {own}
from read_parquet(?, filename = true) t join c on c.file = t.filename"""
options = "format csv, header" if form == "csv" else "format parquet"
t = time.perf_counter()
db.execute(f"copy ({q}) to '{dir}/duck.{form}' ({options})", [files])
print(time.perf_counter() - t)
`
	out, err := exec.Command(python, "-c", script, dir, form, strconv.Itoa(rows), strconv.Itoa(exportFrames),
		strconv.Itoa(exportTables), exportOrg).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return 0, fmt.Errorf("DuckDB: %w: %s", err, failed.Stderr)
		}
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}
