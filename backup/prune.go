package backup

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"
)

// Prune removes backups that were made before a moment, but never the newest, and the files that
// no other backup has, and says how many backups that were. Nobody else may make one meanwhile.
func Prune(ctx context.Context, p Place, before time.Time) (removed int, err error) {
	ids, err := All(ctx, p)
	if err != nil {
		return 0, err
	}
	kept := map[string]bool{}   // backups
	needed := map[string]bool{} // files
	for i, id := range ids {
		m, err := ReadManifest(ctx, p, id)
		var damaged *Damaged
		if err != nil && !errors.As(err, &damaged) {
			return 0, err
		}
		switch {
		case err != nil:
			// Nobody knows which files it had: they stay as long as it does.
			return 0, err
		case i < len(ids)-1 && m.Made.Before(before):
			continue
		}
		kept[id] = true
		if err := Entries(ctx, p, m, func(e Entry) error { needed[e.Name] = true; return nil }); err != nil {
			return 0, err
		}
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
	if err == nil {
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
	return len(manifests), err
}
