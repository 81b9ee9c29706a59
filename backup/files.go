package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"slices"

	"github.com/kinebase/kinebase/upload"
)

// Entry is a line of the list of files of a backup.
type Entry struct {
	Name         string `json:"name"`
	Organization string `json:"org"`
	Session      string `json:"session,omitempty"`
	Size         int64  `json:"size"`
	SHA256       string `json:"sha256,omitempty"`
	// State is "" for a file that rows name, "landed" for one that had come for a capture which
	// still waits for it in the rows, "replaced" for one that was made of a file, and made again before it was copied
	// however often that was tried, "erased" for one that was erased while the backup was made,
	// and "missing" for one that rows named and that was nowhere.
	State string `json:"state,omitempty"`
	// Read is when the file in the place was last held to its checksum, or was written, in seconds since 1970; 0 where
	// nobody knows.
	Read int64 `json:"read,omitempty"`
}

// The states.
const (
	StateLanded   = "landed"
	StateReplaced = "replaced"
	StateErased   = "erased"
	StateMissing  = "missing"
)

func (e Entry) kept() bool { return e.State == "" || e.State == StateLanded }

// counted counts and sums up what is written to it.
type counted struct {
	hash hash.Hash
	n    int64
}

func newCounted() *counted { return &counted{hash: sha256.New()} }

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.hash.Write(p)
}

func (c *counted) sum() string { return hex.EncodeToString(c.hash.Sum(nil)) }

// putPart writes a compressed part of a backup as write gives it.
func putPart(ctx context.Context, p Place, name string, write func(io.Writer) error) (Part, error) {
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is one
		err := write(z)
		if err == nil {
			err = z.Close()
		}
		_ = w.CloseWithError(err)
	}()
	c := newCounted()
	_, err := p.Put(ctx, name, io.TeeReader(r, c), -1)
	_ = r.CloseWithError(errors.New("the place takes no more"))
	<-done
	return Part{Name: name, Size: c.n, SHA256: c.sum()}, err
}

// openPart checks a part as a whole, and only then has it read.
func openPart(ctx context.Context, p Place, part Part, read func(io.Reader) error) (err error) {
	f, err := p.Open(ctx, part.Name)
	if errors.Is(err, upload.ErrNoFile) {
		return &Damaged{part.Name + " is not there"}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := same(f, part.Name, part.Size, part.SHA256); err != nil {
		return err
	}
	if read == nil {
		return nil
	}
	z, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(f, 0, f.Size()), 256<<10))
	if err != nil {
		return &Damaged{part.Name + ": " + err.Error()}
	}
	return read(z)
}

// same holds a file to its size and checksum.
func same(f upload.File, name string, size int64, sum string) error {
	if f.Size() != size {
		return &Damaged{name + " has another size than it should have"}
	}
	c := newCounted()
	if _, err := io.CopyBuffer(struct{ io.Writer }{c}, io.NewSectionReader(f, 0, size), make([]byte, 256<<10)); err !=
		nil {
		return err
	}
	if c.sum() != sum {
		return &Damaged{name + " was changed: its checksum is another one"}
	}
	return nil
}

// putEntries writes the list of files, in the order of their names.
func putEntries(ctx context.Context, p Place, name string, entries []Entry) (Part, error) {
	slices.SortFunc(entries, func(a, b Entry) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return putPart(ctx, p, name, func(w io.Writer) error {
		to := json.NewEncoder(w)
		for i := range entries {
			if err := to.Encode(&entries[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Entries calls each for every file of a backup.
func Entries(ctx context.Context, p Place, m Manifest, each func(Entry) error) error {
	return openPart(ctx, p, m.FileList, func(r io.Reader) error {
		from := json.NewDecoder(r)
		for {
			var e Entry
			err := from.Decode(&e)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return &Damaged{m.FileList.Name + ": " + err.Error()}
			}
			if err := each(e); err != nil {
				return err
			}
		}
	})
}
