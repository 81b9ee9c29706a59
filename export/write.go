package export

import (
	"context"
	"io"
	"runtime"
	"strconv"
	"sync"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// chunkBytes is about how much text is written at once, and chunks how many there
// are of it in memory.
const (
	chunkBytes = 256 << 10
	chunks     = 8
)

// chunk is some rows of a block as text.
type chunk struct {
	block    *block
	from, to int
	text     []byte
	done     chan struct{}
}

// WriteCSV writes the whole result as CSV: a line of names, then a line a row, empty
// where something is missing. Texts are as frames.AppendCell has them, with an
// apostrophe before what a spreadsheet would take for a formula. Numbers are never
// touched.
//
// Memory stays within the budget, in bytes; the error is a fault.Unprocessable with
// TooLarge when it cannot.
func WriteCSV(ctx context.Context, w io.Writer, r *Reader, budget int64) error {
	l := r.csvLines()
	if err := l.fits(budget); err != nil {
		return err
	}
	if _, err := w.Write(l.header()); err != nil {
		return err
	}
	return l.write(ctx, w)
}

// WriteNDJSON writes the whole result as an object of JSON a line; null where
// something is missing. Memory is that of WriteCSV.
func WriteNDJSON(ctx context.Context, w io.Writer, r *Reader, budget int64) error {
	l := r.jsonLines("\n")
	if err := l.fits(budget); err != nil {
		return err
	}
	return l.write(ctx, w)
}

// AppendPage appends the answer that has the rows [offset, offset+limit) of a result.
func AppendPage(ctx context.Context, b []byte, r *Reader, offset int64, limit int) ([]byte, error) {
	l := r.jsonLines("")
	b = append(b, `{"results":[`...)
	sep := ""
	err := r.stream(ctx, offset, offset+int64(limit), func(k *block) error {
		l.begin(k)
		b = append(b, sep...)
		b, sep = l.rows(b, k, 0, k.rows, ","), ","
		k.release()
		return nil
	})
	b = append(b, `],"total_count":`...)
	b = strconv.AppendInt(b, r.result.Rows, 10)
	b = append(b, `,"offset":`...)
	b = strconv.AppendInt(b, offset, 10)
	b = append(b, `,"limit":`...)
	b = strconv.AppendInt(b, int64(limit), 10)
	rows := max(0, min(int64(limit), r.result.Rows-offset))
	return append(organization.AppendNextOffset(b, offset, rows, r.result.Rows), '}'), err
}

// readers is about what the blocks of rows and the tables that they are read from
// take.
const readers = cursors * (ahead + 1) * 6 << 20

func tooLarge() error { return fault.New(fault.Unprocessable, TooLarge) }

// fits says whether every chunk could have at least one row.
func (l *lines) fits(budget int64) error {
	row := int64(len(l.nulls)) + int64(len(l.ends))*24 + 4096
	if readers+row*(chunks+1) > budget {
		return tooLarge()
	}
	return nil
}

// write writes all rows: blocks are divided into chunks, which several encode and
// one writes in their order.
func (l *lines) write(ctx context.Context, w io.Writer) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	free, order, work := make(chan *chunk, chunks), make(chan *chunk, chunks), make(chan *chunk, chunks)
	for range chunks {
		free <- &chunk{done: make(chan struct{}, 1)}
	}
	var all sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for c := range work {
				c.text = l.rows(c.text[:0], c.block, c.from, c.to, "")
				c.block.release()
				c.done <- struct{}{}
			}
		})
	}
	all.Go(func() {
		for c := range order {
			<-c.done
			if ctx.Err() == nil {
				if _, err := w.Write(c.text); err != nil {
					cancel(err)
				}
			}
			free <- c
		}
	})
	err = l.r.stream(ctx, 0, l.r.result.Rows, func(b *block) error {
		l.begin(b)
		step := max(1, chunkBytes/l.width(b))
		for from := 0; from < b.rows; from += step {
			c := <-free
			c.block, c.from, c.to = b, from, min(from+step, b.rows)
			b.users.Add(1)
			order <- c
			work <- c
		}
		b.release()
		return nil
	})
	close(work)
	close(order)
	all.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
