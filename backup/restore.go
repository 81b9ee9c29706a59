package backup

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"github.com/kinebase/kinebase/upload"
)

// Check says whether a backup is whole: every part and every file has its size and, where
// all is asked for, its checksum, and so has the list of erasures.
func Check(ctx context.Context, p Place, id string, all bool) (Manifest, *List, error) {
	m, err := ReadManifest(ctx, p, id)
	if err != nil {
		return m, nil, err
	}
	if _, err := belongs(ctx, p, m.Owner); errors.Is(err, upload.ErrNoFile) {
		return m, nil, &Damaged{ownerName + " is not there"}
	} else if err != nil {
		return m, nil, err
	}
	l, err := ReadList(ctx, p)
	if err != nil {
		return m, nil, err
	}
	if l.Last < m.Erasures {
		return m, nil, &Damaged{
			fmt.Sprintf("the list of erasures ends with part %d, and had %d when the backup was made", l.Last,
				m.Erasures)}
	}
	if err := openPart(ctx, p, m.RowList, nil); err != nil {
		return m, nil, err
	}
	there, err := sizes(ctx, p)
	if err != nil {
		return m, nil, err
	}
	work, inside := errgroup.WithContext(ctx)
	work.SetLimit(copying)
	var files, bytes int64
	err = Entries(ctx, p, m, func(e Entry) error {
		if !e.kept() {
			return nil
		}
		files++
		bytes += e.Size
		size, ok := there[e.Name]
		if !ok {
			return &Damaged{"the file " + e.Name + " is not there"}
		}
		if size != e.Size {
			return &Damaged{"the file " + e.Name + " has another size than it should have"}
		}
		if all && inside.Err() == nil {
			work.Go(func() error { return checkFile(inside, p, e) })
		}
		return nil
	})
	if cause := work.Wait(); cause != nil {
		err = cause
	}
	if err != nil {
		return m, nil, err
	}
	if files != m.Files || bytes != m.Bytes {
		return m, nil, &Damaged{"the list of files is not that of the manifest"}
	}
	return m, l, nil
}

func checkFile(ctx context.Context, p Place, e Entry) (err error) {
	f, err := p.Open(ctx, filesRoom+e.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return same(f, e.Name, e.Size, e.SHA256)
}

// Restored says what came of a restore.
type Restored struct {
	Manifest
	ErasedAgain int      `json:"erased_again"`
	Left        []string `json:"left"` // what has to be done by hand
}

// Restore brings a backup, the newest where id is "", into an empty store.
func Restore(ctx context.Context, p Place, id string, to Loader, files upload.Files) (Restored, error) {
	m, list, err := Check(ctx, p, id, false)
	r := Restored{Manifest: m}
	if err != nil {
		return r, err
	}
	err = openPart(ctx, p, m.RowList,
		func(rows io.Reader) error { return to.Load(ctx, m, list.Taken(), NewRowReader(rows)) })
	if err != nil {
		return r, err
	}
	work, inside := errgroup.WithContext(ctx)
	work.SetLimit(copying)
	var landed []Entry
	again := map[File]bool{}
	err = Entries(ctx, p, m, func(e Entry) error {
		switch e.State {
		case "":
			work.Go(func() error { return bring(inside, p, files, e, e.Name) })
		case StateLanded:
			landed = append(landed, e)
		case StateReplaced:
			again[File{Organization: e.Organization, Session: e.Session}] = true
		}
		return inside.Err()
	})
	// The first failure of a copy ends the others and the list: it is the cause, and what they end with is not.
	if cause := work.Wait(); cause != nil {
		err = cause
	}
	if err != nil {
		return r, err
	}
	if r.ErasedAgain, r.Left, err = to.EraseAgain(ctx, list.All()); err != nil {
		return r, err
	}
	whose, err := belongs(ctx, p, m.Owner)
	if err != nil {
		return r, err
	}
	if line := givenUp(whose); line != "" {
		r.Left = append(r.Left, line)
	}
	for _, e := range landed {
		f := File{Organization: e.Organization, Session: e.Session, Name: upload.OriginalName(e.Organization)}
		if waits, err := to.Expect(ctx, f); err != nil {
			return r, err
		} else if !waits {
			continue
		}
		if err := bring(ctx, p, files, e, f.Name); err != nil {
			return r, err
		}
		if err := to.Arrive(ctx, f, e.Size, e.SHA256); err != nil {
			return r, err
		}
	}
	for f := range again {
		if err := to.MakeAgain(ctx, f); err != nil {
			return r, err
		}
	}
	return r, to.Finish(ctx)
}

// bring copies a file out of a backup, and holds it to its checksum.
func bring(ctx context.Context, p Place, files upload.Files, e Entry, name string) (err error) {
	f, err := p.Open(ctx, filesRoom+e.Name)
	if errors.Is(err, upload.ErrNoFile) {
		return spoiled(e, "is not there")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if f.Size() != e.Size {
		return spoiled(e, "has another size than it should have")
	}
	c := newCounted()
	if _, err := files.Put(ctx, name, io.TeeReader(io.NewSectionReader(f, 0, f.Size()), c), e.Size); err != nil {
		return err
	}
	if c.sum() != e.SHA256 {
		return spoiled(e, "was changed: its checksum is another one")
	}
	return nil
}

// spoiled says of a file that a restore came upon what to do about it.
func spoiled(e Entry, how string) error {
	return &Damaged{fmt.Sprintf("the file %s%s %s; put a whole copy of it there, or choose a backup that does not "+
		"have it by --at, for which --verify --at tells whether it is whole. "+
		"Remove what was restored so far, and restore again", filesRoom, e.Name, how)}
}
