package video_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/video"
)

// box makes a box of boxes and numbers.
func box(kind string, parts ...any) []byte {
	var content []byte
	for _, p := range parts {
		switch p := p.(type) {
		case []byte:
			content = append(content, p...)
		case string:
			content = append(content, p...)
		case uint16:
			content = binary.BigEndian.AppendUint16(content, p)
		case int:
			content = binary.BigEndian.AppendUint32(content, uint32(p))
		default:
			panic(fmt.Sprintf("%T", p))
		}
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), append([]byte(kind), content...)...)
}

// movie is a video to make: 100 pictures at 60 Hz when nothing else is said.
type movie struct {
	created int // seconds since 1904
	handler string
	times   []int // of the pictures: how many, how long, …
	sizes   int   // that the table of sizes counts; as many as times when 0
	matrix  [2]int
	edits   []int // how long, from where, …
	scale   int
	extends int // how long pictures in fragments last; no fragments when 0
	moof    [][]byte
	mdat    int
	leave   string // kind of box to leave out
	beside  []byte // boxes at the end of the index
}

func (m movie) bytes() []byte {
	if m.handler == "" {
		m.handler = "vide"
	}
	if m.scale == 0 {
		m.scale = 15360
	}
	if m.times == nil && m.extends == 0 {
		m.times = []int{100, 256}
	}
	if m.matrix == [2]int{} {
		m.matrix = [2]int{1 << 16, 0}
	}
	if m.mdat == 0 {
		m.mdat = 1000
	}
	stts := []any{0, len(m.times) / 2}
	frames := 0
	for i, v := range m.times {
		if stts = append(stts, v); i%2 == 0 {
			frames += v
		}
	}
	if m.sizes == 0 {
		m.sizes = frames
	}
	elst := []any{0, len(m.edits) / 2}
	for i, v := range m.edits {
		if elst = append(elst, v); i%2 == 1 {
			elst = append(elst, 1<<16)
		}
	}
	entry := append(make([]byte, 24), 0x07, 0x80, 0x04, 0x38) // 1920 × 1080
	put := func(b []byte) []byte {
		if m.leave != "" && string(b[4:8]) == m.leave {
			return nil
		}
		return b
	}
	stbl := box("stbl", put(box("stsd", 0, 1, 8+len(entry), "avc1", entry)), put(box("stts", stts...)),
		put(box("stsz", 0, 1, m.sizes)))
	mdia := box("mdia", put(box("mdhd", 0, 0, 0, m.scale, 0, 0)), put(box("hdlr", 0, 0, m.handler, 0, 0, 0)),
		box("minf", box("hdlr", 0, "dhlr", "alis", 0, 0, 0), stbl))
	trak := box("trak", put(box("tkhd", 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, m.matrix[0], m.matrix[1], 0, 0, 0, 0, 0, 0, 1<<30,
		1920<<16, 1080<<16)), box("edts", box("elst", elst...)), mdia)
	moov := box("moov", put(box("mvhd", 0, m.created, 0, 1000, 0, make([]byte, 80))), trak,
		box("mvex", box("trex", 0, 1, 1, m.extends, 0, 0)), m.beside)
	return slices.Concat(box("ftyp", "isom"), put(moov), slices.Concat(m.moof...), box("mdat", make([]byte, m.mdat)))
}

func read(t interface {
	Helper()
	Fatal(...any)
}, file []byte) *record.Recording {
	t.Helper()
	rec, err := video.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestTheRateIsPicturesBySeconds(t *testing.T) {
	for _, c := range []struct {
		times    []int
		scale    int
		frames   int
		rate     float64
		variable bool
	}{
		{[]int{100, 256}, 15360, 100, 60, false},
		{[]int{300, 1001}, 30000, 300, 29.97, false},
		{[]int{299, 1001, 1, 1002}, 30000, 300, 29.97, false},
		{[]int{50, 100, 50, 300}, 6000, 100, 30, true},
		{[]int{1, 20, 1, 20, 1, 20}, 600, 3, 30, false},
	} {
		rec := read(t, movie{times: c.times, scale: c.scale}.bytes())
		if rec.Frames != c.frames || math.Abs(rec.Rate-c.rate) > 1e-3 || rec.Video.Variable != c.variable ||
			rec.Warnings.Has(quality.TimesUneven) != c.variable || rec.FirstFrame != 1 {
			t.Errorf("%v: %d frames at %v Hz, variable %v", c.times, rec.Frames, rec.Rate, rec.Video.Variable)
		}
		if math.Abs(rec.Video.Duration*rec.Rate-float64(rec.Frames)) > 0.01 {
			t.Errorf("%v: %v s", c.times, rec.Video.Duration)
		}
	}
}

func TestPicturesAreTurnedAsTheMatrixSays(t *testing.T) {
	one := 1 << 16
	for matrix, want := range map[[2]int]int{{one, 0}: 0, {0, one}: 90, {-one, 0}: 180, {0, -one}: 270} {
		rec := read(t, movie{matrix: matrix}.bytes())
		if v := rec.Video; v.Rotation != want || v.Width != 1920 || v.Height != 1080 || v.Codec != "avc1" ||
			len(rec.Warnings) > 0 {
			t.Errorf("%+v, want %d°; warnings %v", v, want, rec.Warnings)
		}
	}
}

func TestFragmentsAreAddedUp(t *testing.T) {
	traf := func(parts ...any) []byte { return box("moof", box("mfhd", 0, 1), box("traf", parts...)) }
	fragments := [][]byte{
		traf(box("tfhd", 0x20000, 1), box("trun", 0, 10)), // as long as trex says
		// as long as the fragment says
		traf(box("tfhd", 0x8|0x1, 1, 0, 0, 512), box("trun", 0x201, 5, 0, 9, 9, 9, 9, 9)),
		traf(box("tfhd", 0, 1), box("trun", 0x300, 3, 256, 9, 512, 9, 256, 9)), // as long as each says
		// of a track that is not there
		traf(box("tfhd", 0, 2), box("trun", 0, 99)),
	}
	rec := read(t, movie{extends: 256, times: []int{2, 256}, moof: fragments}.bytes())
	if want := 20 / ((2*256. + 10*256 + 5*512 + 256 + 512 + 256) / 15360); rec.Frames != 20 ||
		math.Abs(rec.Rate-want) > 1e-3 || !rec.Video.Fragmented {
		t.Errorf("%d frames at %v Hz, want 20 at %v", rec.Frames, rec.Rate, want)
	}
}

// Whatever a box should hold, it may be shorter, in a file that is otherwise whole.
func TestABoxOfAnyLengthIsReadOrExplained(t *testing.T) {
	var runs []any
	for own := range 0x10 { // what each picture has of its own, and the run beside it
		runs = append(runs, box("trun", own<<8|0x5, 2, 0, 0, make([]byte, 32)))
	}
	good := movie{edits: []int{1000, -1}, extends: 256, times: []int{2, 256}, moof: [][]byte{
		box("moof", box("mfhd", 0, 1), box("traf", append([]any{box("tfhd", 0x8|0x3, 1, 0, 0, 0, 512)}, runs...)...)),
	}}.bytes()
	if rec := read(t, good); rec.Frames != 2+16*2 {
		t.Fatalf("%d frames", rec.Frames)
	}
	boxes := 0
	var within func(from, to int)
	within = func(from, to int) {
		for at := from; at < to; {
			size := int(binary.BigEndian.Uint32(good[at:]))
			boxes++
			for short := 8; short < min(size, 128); short++ {
				file := slices.Clone(good)
				binary.BigEndian.PutUint32(file[at:], uint32(short))
				recordtest.Read(t, len(file), recordtest.Binary, func() (*record.Recording, error) {
					return video.Read(bytes.NewReader(file), int64(len(file)))
				})
			}
			switch string(good[at+4 : at+8]) {
			case "moov", "trak", "edts", "mdia", "minf", "stbl", "mvex", "moof", "traf":
				within(at+8, at+size)
			}
			at += size
		}
	}
	within(0, len(good))
	if boxes != 23+16 {
		t.Errorf("%d boxes were made shorter", boxes)
	}
}

func TestTheTimeOfMakingIsKept(t *testing.T) {
	made := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	since := int(made.Sub(time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)) / time.Second)
	if got := read(t, movie{created: since}.bytes()).Video.Created; !got.Equal(made) {
		t.Errorf("made at %v, want %v", got, made)
	}
	for _, none := range []int{0, 1, 12345} {
		if got := read(t, movie{created: none}.bytes()).Video.Created; !got.IsZero() {
			t.Errorf("%d seconds since 1904 are taken for %v", none, got)
		}
	}
}

func TestEditsAreToldAndNotApplied(t *testing.T) {
	rec := read(t, movie{edits: []int{1000, -1, 500, 256}}.bytes())
	want := []record.Edit{{Start: -1, Duration: 1}, {Start: 256. / 15360, Duration: 0.5}}
	if rec.Frames != 100 || !slices.Equal(rec.Video.Edits, want) || !rec.Warnings.Has(quality.EditsIgnored) {
		t.Errorf("%d frames, edits %+v, warnings %v", rec.Frames, rec.Video.Edits, rec.Warnings)
	}
	if rec = read(t, movie{edits: []int{1000, -1, 1667, 0}}.bytes()); len(rec.Warnings) != 1 ||
		!strings.Contains(rec.Warnings[0].Message, "nothing for 1.00 s before") {
		t.Errorf("a pause before everything: warnings %v", rec.Warnings)
	}
	if rec := read(t, movie{edits: []int{1667, 0}}.bytes()); len(rec.Warnings) > 0 {
		t.Errorf("an edit of everything is warned about: %v", rec.Warnings)
	}
}

func TestOddVideosAreReadWithAWarning(t *testing.T) {
	good := movie{}.bytes()
	for name, c := range map[string]struct {
		file []byte
		code quality.Code
	}{
		"cut in the pictures": {good[:len(good)-500], quality.CutShort},
		"fewer sizes":         {movie{sizes: 99}.bytes(), quality.FramesDisagree},
		"no time scale":       {movie{leave: "mdhd"}.bytes(), quality.RateMissing},
		"pictures of no time": {movie{times: []int{10, 0}}.bytes(), quality.RateMissing},
	} {
		t.Run(name, func(t *testing.T) {
			if rec := read(t, c.file); !rec.Warnings.Has(c.code) || rec.Frames < 10 {
				t.Errorf("%d frames, warnings %v", rec.Frames, rec.Warnings)
			}
		})
	}
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	good := movie{}.bytes()
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":       {nil, "The file is empty (0 bytes)."},
		"text":        {[]byte("Frame,Time\n1,0.0\n"), "neither an MP4 nor a QuickTime file"},
		"a few bytes": {[]byte("abc"), "neither an MP4 nor a QuickTime file"},
		"sound":       {movie{handler: "soun"}.bytes(), "no pictures, perhaps only sound"},
		"no index":    {movie{leave: "moov"}.bytes(), "no index of its pictures"},
		"no times":    {movie{leave: "stts"}.bytes(), "without a picture in it"},
		"too many pictures": {movie{times: []int{-1, 1}}.bytes(),
			"announces 4,294,967,295 pictures, more than it has bytes"},
		"a box of 4 bytes": {slices.Concat(box("ftyp", "isom"), []byte{0, 0, 0, 4}, []byte("moov"), good),
			`The part "moov" of the file is damaged`},
		"a compressed index": {slices.Concat(box("ftyp"), box("moov", box("cmov"))), "compressed"},
		"a huge box": {slices.Concat(box("ftyp"), []byte{0, 0, 0, 1}, []byte("moov"),
			bytes.Repeat([]byte{0xff}, 8)), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := video.Read(bytes.NewReader(c.file), int64(len(c.file)))
			var u *quality.Unreadable
			if !errors.As(err, &u) || !strings.Contains(u.Error(), c.want) || u.Hint == "" {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
	broken := errors.New("input/output error")
	var u *quality.Unreadable
	if _, err := video.Read(failing{broken}, 1000); !errors.Is(err, broken) || errors.As(err, &u) {
		t.Errorf("a failing disk: %v", err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func TestThePicturesThemselvesAreNotRead(t *testing.T) {
	file := movie{mdat: 64 << 20}.bytes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read(t, file)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<10 {
		t.Errorf("%d bytes of memory for an index of a few hundred", took)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(movie{}.bytes())
	f.Add(movie{edits: []int{1000, -1, 500, 256}, times: []int{3, 1, 4, 2}}.bytes())
	f.Add(movie{extends: 256,
		moof: [][]byte{box("moof",
			box("traf", box("tfhd", 0x8|0x1, 1, 0, 0, 512), box("trun", 0x301, 2, 0, 9, 9, 9, 9)))}}.bytes())
	recordtest.Seeds(f, func(file []byte) { f.Add(file) }, ".mp4", ".mov")
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > recordtest.Most {
			return
		}
		rec := recordtest.Read(t, len(file), recordtest.Binary, func() (*record.Recording, error) {
			return video.Read(bytes.NewReader(file), int64(len(file)))
		})
		if rec == nil {
			return
		}
		if v := rec.Video; rec.Frames < 1 || v == nil || !(v.Duration >= 0) || math.IsInf(v.Duration, 0) ||
			v.Rotation%90 != 0 || v.Rotation < 0 || v.Rotation > 270 {
			t.Fatalf("%d frames at %v Hz, %+v", rec.Frames, rec.Rate, rec.Video)
		}
	})
}
