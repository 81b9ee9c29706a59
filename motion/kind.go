package motion

import (
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/bvh"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/sto"
	"github.com/kinebase/kinebase/motion/trc"
	"github.com/kinebase/kinebase/motion/video"
)

// Kind is a kind of motion file, called by the ending of its name.
type Kind string

// The kinds of motion files.
const (
	C3D Kind = "c3d" // points and analog channels, binary
	TRC Kind = "trc" // tables of points
	MOT Kind = "mot" // tables of joint angles or forces, of OpenSim
	STO Kind = "sto" // tables of anything, of OpenSim
	CSV Kind = "csv" // tables of anything
	BVH Kind = "bvh" // a skeleton and its joint angles
	MP4 Kind = "mp4" // video
	MOV Kind = "mov" // video
)

// codec is what reads files of a kind.
type codec struct {
	header func(r io.ReaderAt, size int64) (Header, error)
	read   func(r io.ReaderAt, size int64) (*Recording, error)
}

// kinds has every kind and its codec.
var kinds = map[Kind]codec{
	C3D: {readC3D, c3d.Read},
	TRC: {readTRC, rows(trc.Read)},
	MOT: {readSTO, rows(sto.Read)},
	STO: {readSTO, rows(sto.Read)},
	CSV: {readCSV, readTable},
	BVH: {readBVH, stream(bvh.Read)},
	MP4: {readVideo, video.Read},
	MOV: {readVideo, video.Read},
}

// Kinds gives all kinds, sorted.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }

// KindOf gives the kind of a file by the ending of its name, in capitals or
// small letters; false when it is no motion file.
func KindOf(name string) (Kind, bool) {
	kind := Kind(strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")))
	_, ok := kinds[kind]
	return kind, ok
}

// Extension is the ending of the names of such files, with its dot.
func (k Kind) Extension() string { return "." + string(k) }

// String is the kind as people write it.
func (k Kind) String() string { return strings.ToUpper(string(k)) }

// Readable says whether ReadHeader can read such files.
func (k Kind) Readable() bool { return kinds[k].header != nil }

// sniff tells the kind of a file by its first bytes, for those that can be told.
func sniff(r io.ReaderAt, size int64) (Kind, bool) {
	b := make([]byte, max(0, min(size, 12)))
	n, _ := r.ReadAt(b, 0)
	switch b = b[:n]; {
	case len(b) == 12 && strings.EqualFold(string(b), "PathFileType"):
		return TRC, true
	case len(b) == 12 && string(b[4:8]) == "ftyp":
		return MP4, true
	case len(b) == 12 && string(b[:9]) == "HIERARCHY":
		return BVH, true
	case len(b) == 12 && b[0] >= 2 && b[0] < 10 && b[1] == 0x50:
		return C3D, true
	}
	return "", false
}
