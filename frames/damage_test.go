package frames_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

// uneven is a small recording with numbers of 32 and of 64 bits, missing ones, and several samples a frame.
func uneven(rows int) *motion.Recording {
	rec := wide(3, rows)
	rec.Analogs[1].Values[1] = nan
	rec.Analogs = append(rec.Analogs,
		record.Channel{Name: "fast", Unit: "N", PerFrame: 4, Values: make([]float32, 4*rows)})
	rec.Analogs = append(rec.Analogs, record.Channel{Name: "fine", PerFrame: 1, Values: make([]float32, rows),
		Wide: make([]float64, rows)})
	for i := range rec.Analogs[3].Values {
		rec.Analogs[3].Values[i] = float32(i) / 3
	}
	for i := range rows {
		rec.Analogs[4].Wide[i] = 1e15 + float64(i)
	}
	return rec
}

// told is everything that a table tells, as text.
func told(b []byte) (text string, table *frames.Table, err error) {
	if table, err = frames.Open(bytes.NewReader(b), int64(len(b))); err != nil {
		return "", nil, err
	}
	names := table.Columns()
	scan, err := table.Scan(names)
	if err != nil {
		return "", nil, err
	}
	text = fmt.Sprint(table.Rows(), table.PerFrame(), names)
	for g := range table.Groups() {
		if err := scan.Read(g); err != nil {
			return "", table, err
		}
		text += fmt.Sprint(scan.From, scan.Time)
		for _, c := range scan.Columns {
			for i := range c.Len() {
				text += fmt.Sprint(" ", c.At(i))
			}
		}
	}
	return text, table, nil
}

// holds fails unless a spoiled table tells what it ever told, or is refused as damaged; it is never whole.
func holds(t *testing.T, what, want string, spoiled []byte) {
	t.Helper()
	got, table, err := told(spoiled)
	var damaged *frames.Damaged
	switch {
	case err == nil && got != want:
		t.Errorf("%s: other numbers were read", what)
	case err != nil && !errors.As(err, &damaged):
		t.Errorf("%s: %v", what, err)
	case err != nil && table != nil && table.Damage() == nil:
		t.Errorf("%s: the table does not remember its damage", what)
	}
	if table == nil {
		return
	}
	if err := table.Verify(); !errors.As(err, &damaged) {
		t.Errorf("%s: it was taken for whole (%v)", what, err)
	}
}

func TestATableWithWrongBytesTellsWhatItHeldOrNothing(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	var table, samples bytes.Buffer
	if _, _, err := frames.Write(&table, &samples, motion.C3D, 20, memory{uneven(20)}); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"table": table.Bytes(), "samples": samples.Bytes()} {
		want, whole, err := told(b)
		if err != nil || !whole.Checksums() || whole.Verify() != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for at := range b {
			spoiled := bytes.Clone(b)
			spoiled[at] ^= byte(1 + chance.IntN(255))
			holds(t, fmt.Sprint(name, ": byte ", at), want, spoiled)
			spoiled[at] = b[at] ^ 1<<chance.IntN(8)
			holds(t, fmt.Sprint(name, ": a bit of byte ", at), want, spoiled)
		}
		for range 300 { // a run of bytes that were never written, or were written elsewhere
			spoiled := bytes.Clone(b)
			at, n := chance.IntN(len(b)), 1+chance.IntN(64)
			if from := chance.IntN(len(b)); chance.IntN(2) == 0 {
				copy(spoiled[at:min(len(b), at+n)], b[from:])
			} else {
				clear(spoiled[at:min(len(b), at+n)])
			}
			if !bytes.Equal(spoiled, b) {
				holds(t, fmt.Sprint(name, ": ", n, " bytes from ", at), want, spoiled)
			}
		}
		for cut := range b {
			holds(t, fmt.Sprint(name, ": cut to ", cut), want, b[:cut])
		}
	}
}

func TestATableOfManyGroupsIsRefusedWhereItIsDamagedAndReadWhereItIsNot(t *testing.T) {
	var b bytes.Buffer
	info, _, err := frames.Write(&b, &bytes.Buffer{}, motion.C3D, 60_000, memory{wide(40, 60_000)})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := frames.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(whole.Groups()) < 2 {
		t.Fatal("it is to have several groups", err)
	}
	spoiled := bytes.Clone(b.Bytes())
	spoiled[100] ^= 1 // in the first group
	table, err := frames.Open(bytes.NewReader(spoiled), int64(len(spoiled)))
	if err != nil {
		t.Fatal(err)
	}
	last := whole.Groups()[len(whole.Groups())-1]
	if _, err := table.Part(info, 0, []string{"c0"}, last.From, last.From+10, 1); err != nil {
		t.Errorf("the last group is whole: %v", err)
	}
	refused := 0
	var damaged *frames.Damaged
	for _, name := range append(table.Columns(), "") {
		if name == "" {
			err = table.Verify()
		} else {
			_, err = table.Part(info, 0, []string{name}, 0, 10, 1)
		}
		if errors.As(err, &damaged) {
			refused++
		}
	}
	if refused == 0 {
		t.Error("nothing of the first group was refused")
	}
}

func TestATableOfBeforeThereWereChecksumsIsStillRead(t *testing.T) {
	var b bytes.Buffer
	if _, _, err := frames.Write(&b, &bytes.Buffer{}, motion.C3D, 20, memory{uneven(20)}); err != nil {
		t.Fatal(err)
	}
	want, _, err := told(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	plain, err := os.ReadFile(filepath.Join("testdata", "plain.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	got, table, err := told(plain)
	if err != nil || got != want || table.Checksums() || table.Verify() != nil {
		t.Errorf("it tells %s (%v), want %s", got, err, want)
	}
}
