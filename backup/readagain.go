package backup

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Files that are in the place already are not copied, and a disk may change them without anybody's doing. So
// each backup reads some of them again, those first that nobody has read for longest.
const (
	// readEvery is how long a file is trusted after it was read.
	readEvery = 30 * 24 * time.Hour
	// readPart is the part of all bytes that one backup reads: made once a day, backups read everything in readEvery.
	readPart = 30
	// readLeast is how many bytes one backup reads however few there are.
	readLeast = 256 << 20
)

// readAgain holds files of the place to their checksums whose turn it is. One that is another than it was is no longer
// known, and copied again where the store has it.
func (m *maker) readAgain(ctx context.Context) error {
	var total int64
	var due []Entry
	before := m.Now().Add(-readEvery).Unix()
	for _, e := range m.known {
		total += e.Size
		if e.Read <= before {
			due = append(due, e)
		}
	}
	slices.SortFunc(due, func(a,
		b Entry) int {
		return cmp.Or(cmp.Compare(a.Read, b.Read), cmp.Compare(a.Name, b.Name))
	})
	room := max(readLeast, total/readPart)
	work, inside := errgroup.WithContext(ctx)
	work.SetLimit(copying)
	for i, e := range due {
		if i > 0 && e.Size > room {
			break
		}
		room -= e.Size
		work.Go(func() error {
			err := checkFile(inside, m.place, e)
			if inside.Err() != nil {
				return inside.Err()
			}
			m.mutex.Lock()
			defer m.mutex.Unlock()
			if err != nil { // a disk may also refuse to read what has rotted
				delete(m.known, e.Name)
				m.rotten[e.Name] = e
				m.report.Rotten = append(m.report.Rotten, e.Name)
				return nil
			}
			e.Read = m.Now().Unix()
			m.known[e.Name] = e
			return nil
		})
	}
	err := work.Wait()
	slices.Sort(m.report.Rotten)
	return err
}
