package backup

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"
)

// Pruned says what came of removing old backups.
type Pruned struct {
	Removed int
	// Damaged are backups that cannot be restored, for their manifest or their list of files is not whole. None counts
	// as one that is kept for restoring, and each goes when it is as old as others that go.
	Damaged []string
}

// Prune removes backups that were made before a moment, but never the newest whole one, and the files that
// no other backup has. As long as there is a damaged one of which nobody knows which files it had, files stay.
// Nobody else may make a backup meanwhile.
func Prune(ctx context.Context, p Place, before time.Time) (r Pruned, err error) {
	all, err := standing(ctx, p)
	if err != nil {
		return r, err
	}
	newest := -1
	for i, b := range all {
		if b.damaged {
			r.Damaged = append(r.Damaged, b.id)
		} else {
			newest = i
		}
	}
	if newest < 0 {
		return r, nil // nothing can be restored: whatever is there may be of use
	}
	kept := map[string]bool{}   // backups
	needed := map[string]bool{} // files
	unknown := false            // a damaged one stays, and may need any file
	for i, b := range all {
		if i != newest && b.made.Before(before) {
			continue
		}
		kept[b.id] = true
		for _, name := range b.files {
			needed[name] = true
		}
		unknown = unknown || b.damaged
	}
	var gone, manifests []string
	err = p.List(ctx, backupsRoom, func(name string, _ int64) error {
		switch id := path.Base(path.Dir(name)); {
		case kept[id]:
		case path.Base(name) == manifestName:
			manifests = append(manifests, name)
		default:
			gone = append(gone, name)
		}
		return nil
	})
	if err == nil && !unknown {
		err = p.List(ctx, filesRoom, func(name string, _ int64) error {
			if !needed[strings.TrimPrefix(name, filesRoom)] {
				gone = append(gone, name)
			}
			return nil
		})
	}
	// The manifests first: what has none is no backup.
	for _, name := range append(manifests, gone...) {
		if err == nil {
			err = p.Erase(ctx, name)
		}
	}
	r.Removed = len(manifests)
	return r, err
}

// found is a backup as Prune finds it.
type found struct {
	id      string
	made    time.Time // of a damaged one, as its id tells
	damaged bool
	files   []string
}

// standing reads what there is of all backups, oldest first.
func standing(ctx context.Context, p Place) (all []found, err error) {
	ids, err := All(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		b := found{id: id}
		m, err := ReadManifest(ctx, p, id)
		if err == nil {
			b.made = m.Made
			err = Entries(ctx, p, m, func(e Entry) error { b.files = append(b.files, e.Name); return nil })
		}
		var damaged *Damaged
		if errors.As(err, &damaged) {
			b.damaged = true
			b.made, err = madeAt(id), nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// newestWhole gives the manifest of the newest backup that has a whole one; ok is false where none has.
func newestWhole(ctx context.Context, p Place) (m Manifest, ok bool, err error) {
	ids, err := All(ctx, p)
	if err != nil {
		return m, false, err
	}
	for i := len(ids) - 1; i >= 0; i-- {
		m, err := ReadManifest(ctx, p, ids[i])
		var damaged *Damaged
		if err == nil || !errors.As(err, &damaged) {
			return m, err == nil, err
		}
	}
	return m, false, nil
}
