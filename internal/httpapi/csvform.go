package httpapi

import (
	"io"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
)

// csvLocale is the locale that a caller may give for CSV.
type csvLocale struct {
	frames.Locale
	given bool
}

func readLocale(value string) (csvLocale, error) {
	l, err := frames.ParseLocale(value)
	return csvLocale{l, true}, err
}

// judge refuses a locale where the answer is no CSV.
func (l csvLocale) judge(csv bool) error {
	if l.given && !csv {
		return fault.New(fault.BadRequest, "locale is for CSV alone: ask for CSV, or leave locale out.")
	}
	return nil
}

// tag is the entity tag of what the parts stand for, in this locale. All locales with a
// decimal point have the bytes, and so the tag, that there are without any.
func (l csvLocale) tag(parts ...string) string {
	if l.Comma {
		parts = append(parts, "comma")
	}
	return tagOf(parts...)
}

// csvForm is how a result is wanted as CSV.
type csvForm struct {
	bom    bool // it begins with a byte order mark
	locale csvLocale
}

// of gives a kept file, which has neither a mark nor a locale, in this form.
func (f csvForm) of(file io.ReaderAt, size int64, columns export.Columns) (io.ReaderAt, int64) {
	if f.locale.Comma {
		file = &respelled{file: file, texts: export.TextColumns(columns)}
	}
	if f.bom {
		return marked{file}, size + int64(len(export.ByteOrderMark))
	}
	return file, size
}

// writer takes a result as it is written, behind the mark, and has to get it in this form.
func (f csvForm) writer(to io.Writer, columns export.Columns) io.Writer {
	if f.locale.Comma {
		return frames.NewRespeller(export.TextColumns(columns)).Writer(to)
	}
	return to
}

// marked is a file with a byte order mark in front.
type marked struct{ file io.ReaderAt }

// ReadAt is io.ReaderAt.
func (m marked) ReadAt(p []byte, off int64) (n int, err error) {
	const mark = export.ByteOrderMark
	if off < int64(len(mark)) {
		n = copy(p, mark[off:])
	}
	if n == len(p) {
		return n, nil
	}
	more, err := m.file.ReadAt(p[n:], off+int64(n)-int64(len(mark)))
	return n + more, err
}

// respelled is a file of CSV in a locale with a decimal comma. It is for one reader at a
// time. What a byte becomes depends on those before it, so a part is found by reading
// from the beginning; parts in their order are each read once.
type respelled struct {
	file  io.ReaderAt
	texts []bool
	by    *frames.Respeller
	at    int64 // how far it has come
	skip  []byte
}

// ReadAt is io.ReaderAt.
func (s *respelled) ReadAt(p []byte, off int64) (int, error) {
	if s.by == nil || off < s.at {
		s.by, s.at = frames.NewRespeller(s.texts), 0
	}
	for s.at < off {
		if s.skip == nil {
			s.skip = make([]byte, 256<<10)
		}
		if n, err := s.read(s.skip[:min(int64(len(s.skip)), off-s.at)]); n == 0 {
			return 0, err
		}
	}
	return s.read(p)
}

func (s *respelled) read(p []byte) (int, error) {
	n, err := s.file.ReadAt(p, s.at)
	s.by.Change(p[:n])
	s.at += int64(n)
	return n, err
}
