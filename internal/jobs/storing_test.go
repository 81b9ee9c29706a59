package jobs_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/upload"
)

// Offices have two workers.
const workers = 2

func TestOnlySoManyFilesAreReadAtATimeAsThereAreWorkersAndAllAreRead(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.reader.open = make(chan struct{})
		o.reader.begun = make(chan string, 100)
		var all []string
		for n := range 5 * workers {
			all = append(all, o.sent(fmt.Sprintf("slow %d", n)))
		}
		for range workers {
			testkit.Receive(t, o.reader.begun, "a file is begun")
		}
		close(o.reader.open)
		for _, session := range all {
			o.await(session, capture.Completed)
		}
		if most := o.reader.mostAtOnce(); most != workers {
			t.Errorf("%d files were read at a time", most)
		}
	})
}

func TestAFileThatIsBeingStoredKeepsNoOtherFromBeingRead(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		slow := &slowFiles{Files: o.files, open: make(chan struct{}), begun: make(chan string, 100)}
		o.through = slow
		o.open()
		var all []string
		for n := range 5 * workers {
			all = append(all, o.sent(fmt.Sprintf("good %d", n)))
		}
		for range 2 * workers {
			testkit.Receive(t, slow.begun, "a table is being stored")
		}
		close(slow.open)
		for _, session := range all {
			o.await(session, capture.Completed)
		}
	})
}

func TestAFileThatIsBeingStoredWhenWorkersStopIsReadByTheNext(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		slow := &slowFiles{Files: o.files, open: make(chan struct{}), begun: make(chan string, 100)}
		o.through = slow
		o.open()
		session := o.sent("good")
		testkit.Receive(t, slow.begun, "a table is being stored")
		o.close()
		got, err := o.store.Stored(t.Context(), o.scope, session)
		o.must(err)
		if got.Capture.Status != capture.Processing {
			t.Errorf("the capture is %s", got.Capture.Status)
		}
		close(slow.open)
		o.open()
		o.await(session, capture.Completed)
		if times := o.reader.times("good"); times != 2 {
			t.Errorf("it was read %d times", times)
		}
	})
}

func TestAPanicWhileAFileIsStoredEndsNoServerAndTheFileIsReadAgain(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.close()
		o.through = &panicking{Files: o.files}
		o.open()
		o.await(o.sent("good"), capture.Completed)
	})
}

// slowFiles are files that are stored when they may be.
type slowFiles struct {
	upload.Files
	open  chan struct{}
	begun chan string
}

func (s *slowFiles) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	s.begun <- name
	select {
	case <-s.open:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return s.Files.Put(ctx, name, r, size)
}

// panicking are files that panic once.
type panicking struct {
	upload.Files
	once sync.Once
}

func (p *panicking) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	p.once.Do(func() { panic("a fault in the storage") })
	return p.Files.Put(ctx, name, r, size)
}
