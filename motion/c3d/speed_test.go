package c3d_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// speedFile is a file on disk of about 200 MiB: 60 points and 30 channels with 10
// samples a frame.
func speedFile(b *testing.B, o c3dtest.Options) (name string, size int64) {
	b.Helper()
	width := 2
	if o.Real {
		width = 4
	}
	o.Points, o.Analogs, o.PerFrame, o.Unit = c3dtest.Many("P", 60), c3dtest.Many("A", 30), 10, "mm"
	o.Frames = 200 << 20 / (width * (4*60 + 300))
	if os.Getenv("CI") != "" || testing.Short() {
		o.Frames /= 100
	}
	frames := o.Frames
	o.Frames = 1 // the others are copies of it, which are faster made
	o.Header = func(h *c3dtest.Header) { h.Last = 65535 }
	one := c3dtest.File(o)
	h, err := c3d.ReadHeader(bytes.NewReader(one), 1<<40)
	if err != nil {
		b.Fatal(err)
	}
	name = filepath.Join(b.TempDir(), "speed.c3d")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	frame := one[h.DataStart : h.DataStart+h.FrameSize]
	for _, part := range [][]byte{one[:h.DataStart], bytes.Repeat(frame, frames)} {
		if _, err := f.Write(part); err != nil {
			b.Fatal(err)
		}
	}
	return name, h.DataStart + int64(frames)*h.FrameSize
}

// BenchmarkRead reads a file on disk whose bytes are in the memory of the system,
// beside what reading those bytes alone takes.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name string
		o    c3dtest.Options
	}{
		{"real", c3dtest.Options{Real: true}},
		{"integer", c3dtest.Options{}},
		{"real of MIPS", c3dtest.Options{Real: true, Processor: c3d.MIPS}},
		{"integer of MIPS", c3dtest.Options{Processor: c3d.MIPS}},
		{"real of DEC", c3dtest.Options{Real: true, Processor: c3d.DEC}},
	} {
		name, size := speedFile(b, c.o)
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/whole", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if _, err := c3d.Read(f, size); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/stretches of 2000", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				file, err := c3d.Open(f, size)
				if err != nil {
					b.Fatal(err)
				}
				for at := 0; at < file.Frames; at += 2000 {
					if _, err := file.Stretch(at, min(2000, file.Frames-at)); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(c.name+"/bytes", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if _, err := os.ReadFile(name); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/bytes in pieces", func(b *testing.B) {
			b.SetBytes(size)
			buf := make([]byte, 1<<20)
			for b.Loop() {
				for at := int64(0); at < size; at += int64(len(buf)) {
					if _, err := f.ReadAt(buf, at); err != nil && err != io.EOF {
						b.Fatal(err)
					}
				}
			}
		})
		f.Close()
	}
}
