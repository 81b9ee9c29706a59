package video

import "encoding/binary"

// The flags that say what a fragment's boxes hold.
const (
	fragmentBase        = 0x01
	fragmentDescription = 0x02
	fragmentDuration    = 0x08

	runOffset   = 0x001
	runFirst    = 0x004
	runDuration = 0x100
	runSize     = 0x200
	runFlags    = 0x400
	runShift    = 0x800
)

// readExtends reads how long pictures in fragments last unless they say otherwise.
func (f *file) readExtends(b box, tracks map[uint32]uint32) error {
	return f.each(b.start, b.end, func(b box) error {
		if b.kind != "trex" {
			return nil
		}
		c, ok, err := f.content(b, 16)
		if ok && len(tracks) < 1000 {
			tracks[binary.BigEndian.Uint32(c[4:])] = binary.BigEndian.Uint32(c[12:])
		}
		return err
	})
}

// readFragment reads one fragment of the index, which has a part for each track.
func (f *file) readFragment(b box, tracks map[uint32]*track) error {
	return f.each(b.start, b.end, func(b box) error {
		if b.kind != "traf" {
			return nil
		}
		var t *track
		var delta uint32
		return f.each(b.start, b.end, func(b box) error {
			switch b.kind {
			case "tfhd":
				var err error
				t, delta, err = f.readFragmentHeader(b, tracks)
				return err
			case "trun":
				if t != nil {
					return f.readRun(b, t, delta)
				}
			}
			return nil
		})
	})
}

// readFragmentHeader says of which track a part is, and how long its pictures last.
func (f *file) readFragmentHeader(b box, tracks map[uint32]*track) (*track, uint32, error) {
	c, ok, err := f.content(b, 8)
	if err != nil || !ok {
		return nil, 0, err
	}
	t := tracks[binary.BigEndian.Uint32(c[4:])]
	if t == nil {
		return nil, 0, nil
	}
	t.fragmented = true
	flags, at := binary.BigEndian.Uint32(c)&0xffffff, 8
	if flags&fragmentDuration == 0 {
		return t, t.defaultDelta, nil
	}
	if flags&fragmentBase != 0 {
		at += 8
	}
	if flags&fragmentDescription != 0 {
		at += 4
	}
	if c, ok, err = f.content(b, at+4); err != nil || !ok {
		return t, t.defaultDelta, err
	}
	return t, binary.BigEndian.Uint32(c[at:]), nil
}

// readRun reads the pictures of a part. Each may have a duration, a size, flags
// and a shift of its own; a part whose pictures have nothing of their own takes no
// bytes for them, so it counts as one that takes at least one byte each elsewhere.
func (f *file) readRun(b box, t *track, delta uint32) error {
	c, ok, err := f.content(b, 8)
	if err != nil || !ok {
		return err
	}
	flags, count := binary.BigEndian.Uint32(c)&0xffffff, binary.BigEndian.Uint32(c[4:])
	head, wide := 8, 0
	for _, flag := range []uint32{runOffset, runFirst} {
		if flags&flag != 0 {
			head += 4
		}
	}
	for _, flag := range []uint32{runDuration, runSize, runFlags, runShift} {
		if flags&flag != 0 {
			wide += 4
		}
	}
	if flags&runDuration == 0 {
		if wide > 0 && int64(count) > (b.end-b.start-int64(head))/int64(wide) {
			f.cut = true
			count = uint32(max(0, (b.end-b.start-int64(head))/int64(wide)))
		}
		t.add(int64(count), delta)
		return nil
	}
	return f.table(b, head, wide, count, func(e []byte) { t.add(1, binary.BigEndian.Uint32(e)) })
}
