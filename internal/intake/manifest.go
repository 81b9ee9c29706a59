package intake

import (
	"bytes"
	"errors"
	"io"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/payload"
)

// strangeLines is how many lines at the beginning of a file may be something else
// than JSON objects before the file is taken for something else than a manifest.
// Somebody who names the wrong file should not be told so a million times.
const strangeLines = 20

var (
	errNoManifest = errors.New("this does not look like an NDJSON manifest: none of its first lines is a JSON " +
		"object; what a manifest is stands in docs/import.md")
	errUTF16 = errors.New("is in UTF-16: save it as UTF-8")
)

// manifest reads lines; false when the import is over.
func (r *reader) manifest(path string, in io.Reader) bool {
	ids := manifest.NewIdentity(r.organization)
	held, size := make([]item, 0, strangeLines), int64(0) // lines of which it is not known yet what file they are from
	strange := true
	for line := range manifest.Lines(in) {
		if line.Number == 1 && isUTF16(line.Text) {
			return r.put(item{path: path, err: errUTF16}, line.Size)
		}
		it := item{path: path, line: line.Number}
		switch {
		case line.Err == nil:
			if it.record, it.err = manifest.Parse(line.Text, r.now); it.err == nil {
				ids.Assign(it.record)
			}
		case fault.Is(line.Err, fault.BadRequest):
			it.err = line.Err
		default:
			it.err = cannotRead(line.Err)
		}
		if strange = strange && it.err != nil && !isObject(line.Text); strange {
			held, size = append(held, it), size+line.Size
			if len(held) == strangeLines {
				return r.put(item{path: path, err: errNoManifest}, size)
			}
			continue
		}
		if !r.release(&held, &size) || !r.put(it, line.Size) {
			return false
		}
	}
	return r.release(&held, &size)
}

// release puts the lines that were held back.
func (r *reader) release(held *[]item, size *int64) bool {
	for _, it := range *held {
		if !r.put(it, *size) { // what they measure together counts once
			return false
		}
		*size = 0
	}
	*held = nil
	return true
}

func isObject(line []byte) bool {
	_, err := payload.Parse(line)
	return err == nil
}

// isUTF16 tells by a byte order mark, or by the zero byte beside the first
// character, which is ASCII in every manifest.
func isUTF16(line []byte) bool {
	for _, start := range []string{"\xff\xfe", "\xfe\xff", "{\x00", "\x00{"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}
