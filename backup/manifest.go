package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/upload"
)

// Format is the version of what is described in this package. A program refuses a later one.
const Format = 1

// Manifest says what a backup has. It is written last.
type Manifest struct {
	Format   int              `json:"format"`
	ID       string           `json:"id"`
	Owner    string           `json:"owner"`
	Made     time.Time        `json:"made"` // when the snapshot was taken
	Program  string           `json:"program"`
	Engine   string           `json:"engine"`
	Schema   int64            `json:"schema"`
	Number   int64            `json:"number"`
	Counts   map[string]int64 `json:"rows"` // of each table
	Files    int64            `json:"files"`
	Bytes    int64            `json:"bytes"` // of the files
	Erased   int64            `json:"erased"`
	RowList  Part             `json:"row_list"`
	FileList Part             `json:"file_list"`
	Erasures int              `json:"erasures"` // the last number of the list of erasures, then
}

// Part is a file of the backup itself.
type Part struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

const (
	backupsRoom  = "backups/"
	filesRoom    = "files/"
	manifestName = "manifest.json"
	ownerName    = "owner.json"
)

// largestManifest is far more than one ever has.
const largestManifest = 1 << 20

// newID makes an id that sorts by time.
func newID(now time.Time) string {
	random := make([]byte, 4)
	_, _ = rand.Read(random) // never fails
	return now.UTC().Format(idTime) + "-" + hex.EncodeToString(random)
}

const idTime = "20060102T150405.000Z"

// madeAt is when a backup was made as far as its id tells; far in the future where it does not.
func madeAt(id string) time.Time {
	text, _, _ := strings.Cut(id, "-")
	at, err := time.Parse(idTime, text)
	if err != nil {
		return time.Unix(1<<40, 0)
	}
	return at
}

// All gives the ids of the backups of a place that have a manifest, whole or not, oldest first.
func All(ctx context.Context, p Place) ([]string, error) {
	var ids []string
	err := p.List(ctx, backupsRoom, func(name string, _ int64) error {
		if path.Base(name) == manifestName {
			ids = append(ids, path.Base(path.Dir(name)))
		}
		return nil
	})
	slices.Sort(ids)
	return ids, err
}

// ReadManifest reads the manifest of a backup; of the newest one where id is "".
func ReadManifest(ctx context.Context, p Place, id string) (m Manifest, err error) {
	if id == "" {
		ids, err := All(ctx, p)
		if err != nil {
			return m, err
		}
		if len(ids) == 0 {
			return m, &Damaged{"there is no finished backup in this place"}
		}
		id = ids[len(ids)-1]
	}
	name := backupsRoom + id + "/" + manifestName
	data, err := readAll(ctx, p, name, largestManifest)
	if errors.Is(err, upload.ErrNoFile) {
		return m, &Damaged{"there is no finished backup " + id}
	}
	if err == nil {
		err = unsealed(name, data, &m)
	}
	switch {
	case err != nil:
		return m, err
	case m.Format > Format:
		return m, &Damaged{name + " was written by a newer Kinebase (" + m.Program + ")"}
	case m.Format < 1 || m.ID != id || !strings.HasPrefix(m.RowList.Name, backupsRoom+id+"/") ||
		!strings.HasPrefix(m.FileList.Name, backupsRoom+id+"/"):
		return m, &Damaged{name + " is that of another backup"}
	}
	return m, nil
}

// owner is whose place it is.
type owner struct {
	Format int    `json:"format"`
	Owner  string `json:"owner"`
	Place  string `json:"place"` // names the place, wherever it is reached

	GivenUp *time.Time `json:"given_up,omitempty"` // since when its list of erasures is not brought up to date any more
}

// errGivenUp is why nothing is backed up to a place that was given up: the store may have forgotten deletions
// since that its list has not.
var errGivenUp = errors.New("this place was given up by kinebase backup --forget: choose another one")

// claim makes a place the store's, or refuses one that is another store's, and names it. The store is told of it
// before there is a backup, so that it forgets no deletion that the place has to take.
func claim(ctx context.Context, s Source, p Place, id string) (place string, err error) {
	o, err := belongs(ctx, p, id)
	if err != nil && !errors.Is(err, upload.ErrNoFile) {
		return "", err
	}
	if o.GivenUp != nil {
		return "", errGivenUp
	}
	if o.Place == "" {
		random := make([]byte, 16)
		_, _ = rand.Read(random) // never fails
		o = owner{Format: Format, Owner: id, Place: hex.EncodeToString(random)}
		if err := o.put(ctx, p); err != nil {
			return "", err
		}
	}
	return o.Place, s.HoldDeletions(ctx, o.Place)
}

func (o owner) put(ctx context.Context, p Place) error {
	text, err := sealed(o)
	if err == nil {
		_, err = p.Put(ctx, ownerName, bytes.NewReader(text), int64(len(text)))
	}
	return err
}

// belongs refuses a place that is another store's; upload.ErrNoFile where it is nobody's yet.
func belongs(ctx context.Context, p Place, id string) (o owner, err error) {
	data, err := readAll(ctx, p, ownerName, largestManifest)
	if err == nil {
		err = unsealed(ownerName, data, &o)
	}
	if err == nil && o.Owner != id {
		err = errors.New("this place has the backups of another store: choose a place for each store")
	}
	return o, err
}
