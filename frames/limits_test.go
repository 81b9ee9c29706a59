package frames_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

// wide is a recording of so many channels, in which value and channel tell each
// other.
func wide(channels, rows int) *motion.Recording {
	rec := &motion.Recording{Frames: rows, Rate: 100}
	for c := range channels {
		v := make([]float32, rows)
		for f := range v {
			v[f] = float32(c) + float32(f)/1024
		}
		rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprint("c", c), PerFrame: 1, Values: v})
	}
	return rec
}

func TestARecordingOfThirtyThousandColumnsIsKeptAndOfMoreRefused(t *testing.T) {
	info, table, _ := write(t, wide(30_000, 20))
	p, err := table.Part(info, 0, []string{"c29999", "c0"}, 19, 20, 1)
	if err != nil || p.Columns[0].Narrow[0] != 29_999+float32(19)/1024 || p.Columns[1].Narrow[0] != float32(19)/1024 {
		t.Errorf("%+v: %v", p, err)
	}
	rec := wide(30_001, 1)
	_, _, err = frames.Write(&bytes.Buffer{}, &bytes.Buffer{}, motion.C3D, 1, memory{rec})
	var unreadable *motion.Unreadable
	if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), "30,001 columns") {
		t.Error(err)
	}
}

func TestSeveralCallersReadOneTable(t *testing.T) {
	info, table, _ := write(t, wide(50, 50_000))
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for from := reader; from < 40_000; from += 5_000 {
				name := fmt.Sprint("c", from%50)
				p, err := table.Part(info, 0, []string{name}, from, from+100, 7)
				if err != nil || p.Frames[1] != int64(from+7) || p.Columns[0].Narrow[1] != float32(from%50)+
					float32(from+7)/1024 {
					t.Errorf("%s from %d: %+v: %v", name, from, p, err)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestRowsThatATableDoesNotHaveAreRefused(t *testing.T) {
	info, table, _ := write(t, wide(2, 10))
	for _, c := range []struct {
		from, to, every int
		names           string
	}{{-1, 5, 1, "from"}, {11, 11, 1, "from"}, {5, 4, 1, "to"}, {0, 11, 1, "to"}, {0, 10, 0, "every"}} {
		if _, err := table.Part(info, 0, []string{"c0"}, c.from, c.to, c.every); !fault.Is(err, fault.BadRequest) ||
			!strings.Contains(err.Error(), c.names+" must") {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := table.Part(info, 0, []string{"frame"}, 0, 1, 1); err == nil {
		t.Error("frame is no column of 32-bit numbers")
	}
}

func TestWhatIsNoMotionTableIsNotOpened(t *testing.T) {
	var whole bytes.Buffer
	if _, _, err := frames.Write(&whole, &bytes.Buffer{}, motion.C3D, 10, memory{wide(3, 10)}); err != nil {
		t.Fatal(err)
	}
	b := whole.Bytes()
	for _, spoiled := range [][]byte{nil, []byte("PAR1"), b[:len(b)-1], b[:len(b)/2],
		bytes.Repeat([]byte("PAR1"), 20)} {
		if _, err := frames.Open(bytes.NewReader(spoiled), int64(len(spoiled))); err == nil {
			t.Errorf("%d bytes were taken for a table", len(spoiled))
		}
	}
	// A byte that is wrong in the numbers may go unnoticed, but brings nobody down.
	for at := range b {
		spoiled := bytes.Clone(b)
		spoiled[at] ^= 0x55
		table, err := frames.Open(bytes.NewReader(spoiled), int64(len(spoiled)))
		if err != nil {
			continue
		}
		scan, err := table.Scan(table.Columns())
		if err != nil {
			continue
		}
		for g := range table.Groups() {
			_ = scan.Read(g)
		}
	}
}
