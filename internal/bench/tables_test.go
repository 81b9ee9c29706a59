package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/process"
)

// tables measures the process in which the server reads a motion file, a C3D file
// of 1 GiB: what it takes and the most memory that it has; and reading the table
// that it makes. The program is the real one, since it is as much of the memory as
// the file's numbers.
func (b *bench) tables() (err error) {
	const head = "Motion tables: "
	if !b.wanted(head + "making") {
		return nil
	}
	dir, err := os.MkdirTemp("", "kinebase-bench-tables")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "kinebase")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/kinebase").CombinedOutput(); err != nil {
		return fmt.Errorf("building kinebase: %w: %s", err, out)
	}
	original := filepath.Join(dir, "a.c3d")
	if err := restless(original, 1<<30); err != nil {
		return err
	}
	info, err := os.Stat(original)
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / 1e6
	table, samples := filepath.Join(dir, "table"), filepath.Join(dir, "samples")
	var took []float64
	most := int64(0)
	for range b.rounds {
		var said struct{ Peak int64 }
		t, err := seconds(func() error {
			out, err := readFile(program, original, table, samples)
			return errors.Join(err, json.Unmarshal(out, &said))
		})
		if err != nil {
			return err
		}
		took, most = append(took, t), max(most, said.Peak)
	}
	bytes, err := seconds(func() error { return readAll(original) })
	if err != nil {
		return err
	}
	b.add(row{operation: head + "making them of a C3D file of 1 GiB in a process of its own",
		ours: figure(mb/median(took)) + " MB/s", baseline: "its bytes " + figure(mb/bytes) + " MB/s",
		ratio: figure(median(took) / bytes)})
	goal, met := judge(float64(most)/(1<<20), 64, atMost)
	b.add(row{operation: head + "peak memory of that process", ours: figure(float64(most)/(1<<20)) + " MiB",
		goal: goal + " MiB", met: met})
	for _, t := range []struct{ what, path string }{{"frames", table}, {"samples", samples}} {
		if err := b.scanning(head+"reading all columns of its "+t.what, t.path); err != nil {
			return err
		}
	}
	return nil
}

// readFile runs a reader as the server does.
func readFile(program, original, table, samples string) (_ []byte, err error) {
	c := exec.Command(program, process.Verb, "--name=file.c3d", "--memory=1073741824")
	c.Env, c.Stderr = []string{}, os.Stderr
	in, err := os.Open(original)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	c.Stdin = in
	for _, path := range []string{table, samples} {
		f, err := os.Create(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		c.ExtraFiles = append(c.ExtraFiles, f)
	}
	return c.Output()
}

// restless is a file of a laboratory in which no number is that of another frame,
// so that a table of it is as large as tables are.
func restless(path string, size int) error {
	l, err := laboratory(true, size)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(l.head); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	const points = 60
	frame := make([]byte, len(l.frame))
	for range l.frames {
		copy(frame, l.frame)
		for word := 0; word < len(frame)/4; word++ {
			if word < 4*points && word%4 == 3 { // says whether the point was seen
				continue
			}
			noise := r.Uint32()
			frame[4*word], frame[4*word+1] = byte(noise), byte(noise>>8)
		}
		if _, err := f.Write(frame); err != nil {
			return err
		}
	}
	return nil
}

func readAll(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, buf)
	return err
}

// scanning measures one goroutine that reads a table group by group.
func (b *bench) scanning(operation, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var took, bytes []float64
	values := 0.0
	for range b.rounds {
		values = 0
		t, err := seconds(func() error {
			table, err := frames.Open(f, info.Size())
			if err != nil {
				return err
			}
			scan, err := table.Scan(table.Columns())
			if err != nil {
				return err
			}
			for g := range table.Groups() {
				if err := scan.Read(g); err != nil {
					return err
				}
				values += float64(len(scan.Time) * len(scan.Columns))
			}
			return nil
		})
		if err != nil {
			return err
		}
		took = append(took, t)
		if t, err = seconds(func() error { return readAll(path) }); err != nil {
			return err
		}
		bytes = append(bytes, t)
	}
	mb := 4 * values / 1e6
	b.add(row{
		operation: fmt.Sprintf("%s, %s MB of numbers in %s MB", operation, figure(mb),
			figure(float64(info.Size())/1e6)), ours: figure(mb/median(took)) + " MB/s",
		baseline: "its bytes " + figure(float64(info.Size())/1e6/median(bytes)) + " MB/s",
		ratio:    figure(median(took) / median(bytes)),
	})
	return nil
}
