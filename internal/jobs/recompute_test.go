package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/jobs"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// finding makes Measure find one metric by a version of the library: how long the table is, and
// more than that.
func finding(version string, more func(table string) float64) func(context.Context, upload.Measured, []byte,
	upload.File) ([]byte, error) {
	return func(_ context.Context, _ upload.Measured, raw []byte, table upload.File) ([]byte, error) {
		text, err := io.ReadAll(io.NewSectionReader(table, 0, table.Size()))
		if err != nil {
			return nil, err
		}
		var info frames.Info
		if err := json.Unmarshal(raw, &info); err != nil {
			return nil, err
		}
		value := float64(len(text)) + more(string(text))
		info.Computed = &frames.Computed{Library: version,
			Metrics: []frames.ComputedMetric{{Column: "length", Value: &value}}}
		return json.Marshal(info)
	}
}

func nothingMore(string) float64 { return 0 }

// oddMore makes the value of every second recording another one.
func oddMore(table string) float64 {
	if strings.HasSuffix(table, "1") || strings.HasSuffix(table, "3") || strings.HasSuffix(table, "5") ||
		strings.HasSuffix(table, "7") || strings.HasSuffix(table, "9") {
		return 0.5
	}
	return 0
}

// by is the version by which a recording was measured.
func (o *office) by(s organization.Scope, session string) string {
	o.t.Helper()
	got, err := o.store.Stored(context.Background(), s, session)
	o.must(err)
	var info frames.Info
	o.must(json.Unmarshal(got.Info, &info))
	if info.Computed == nil {
		return ""
	}
	return info.Computed.Library
}

// tags are those of captures, which change with all that is told of them.
func (o *office) tags(sessions []string) (tags []string) {
	o.t.Helper()
	for _, session := range sessions {
		a, err := o.store.Capture(context.Background(), o.scope, session, 0)
		o.must(err)
		tags = append(tags, a.Tag)
	}
	return tags
}

// read are recordings that were measured by an earlier version, and the workers stopped.
func (o *office) readEarlier(n int) (sessions []string) {
	o.t.Helper()
	o.reader.measure = finding("earlier", nothingMore)
	for i := range n {
		sessions = append(sessions, o.sent(fmt.Sprintf("walk %02d", i)))
	}
	for _, session := range sessions {
		o.await(session, capture.Completed)
	}
	o.close()
	return sessions
}

func (o *office) awaitCurrent(sessions []string) {
	o.t.Helper()
	testkit.Until(o.t, "all recordings are measured by this version", func() bool {
		for _, session := range sessions {
			if o.by(o.scope, session) != movement.Read().Version {
				return false
			}
		}
		return true
	})
}

func TestRecordingsOfAnotherVersionAreMeasuredFromTheirTablesAndChangeWhereAValueDoes(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sessions := o.readEarlier(50) // more than three turns
		before := o.tags(sessions)
		o.reader.measure = finding(movement.Read().Version, oddMore)
		o.open()
		o.awaitCurrent(sessions)
		for i, tag := range o.tags(sessions) {
			if changed := tag != before[i]; changed != (i%2 == 1) {
				t.Errorf("recording %d: changed is %v", i, changed)
			}
			if text := fmt.Sprintf("walk %02d", i); o.reader.times(text) != 1 {
				t.Errorf("the file of recording %d was read %d times", i, o.reader.times(text))
			}
		}
		if n, err := o.store.CountOutdated(t.Context(), o.scope, movement.Read().Version); n != 0 || err != nil {
			t.Errorf("%d are outdated still (%v)", n, err)
		}
	})
}

func TestOrganizationsTakeTurnsWhileTheirRecordingsAreMeasuredAgain(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		// The two large ones have a worker each for more turns than they may take while the small one waits.
		const large, most, small = 100, 60, 4
		var all []organization.Scope
		count := []int{large, large, small}
		o.reader.measure = finding("earlier", nothingMore)
		for n := range count {
			if n > 0 {
				o.scope = organization.Scope{Organization: organization.NewID()}
				o.must(o.store.CreateOrganization(t.Context(),
					organization.Organization{ID: o.scope.Organization, Name: fmt.Sprintf("Lab %d", n),
						CreatedAt: time.Now()}))
			}
			all = append(all, o.scope)
			var sessions []string
			for i := range count[n] {
				sessions = append(sessions, o.sent(fmt.Sprintf("walk %d %02d", n, i)))
			}
			for _, session := range sessions {
				o.await(session, capture.Completed)
			}
		}
		o.close()
		o.must(o.store.Hold(t.Context(), movement.Read().Version))
		for _, s := range all { // the small one stands behind both
			o.must(o.store.Recompute(t.Context(), s, movement.Read().Version))
		}
		var lock sync.Mutex
		measured, done := map[organization.Scope]int{}, make(chan struct{})
		find := finding(movement.Read().Version, nothingMore)
		o.reader.measure = find
		o.reader.of = func(s organization.Scope) {
			lock.Lock()
			measured[s]++
			n := measured[s]
			lock.Unlock()
			if s == all[2] && n == small {
				close(done)
			}
			if s != all[2] && n > most {
				select { // nobody who waits for a turn waits any longer
				case <-done:
				case <-time.After(testkit.Patience):
					t.Error("a large organization went on and on, and the small one waits")
				}
			}
		}
		o.open()
		testkit.Receive(t, done, "the recordings of the small organization are measured")
		for _, s := range all {
			testkit.Until(t, "all recordings are measured by this version", func() bool {
				n, err := o.store.CountOutdated(t.Context(), s, movement.Read().Version)
				return n == 0 && err == nil
			})
		}
		lock.Lock()
		defer lock.Unlock()
		for n, s := range all {
			if measured[s] < count[n] { // a second job of an organization may measure one once more
				t.Errorf("of organization %d %d recordings were measured, and it has %d", n, measured[s], count[n])
			}
		}
	})
}

func TestAServerThatStopsInTheMiddleLosesNothingAndTheNextOneGoesOn(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sessions := o.readEarlier(20)
		find := finding(movement.Read().Version, oddMore)
		begun := make(chan struct{}, len(sessions))
		var n atomic.Int64
		o.reader.measure = func(ctx context.Context, m upload.Measured, info []byte, table upload.File) ([]byte,
			error) {
			if n.Add(1) > 7 {
				begun <- struct{}{}
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return find(ctx, m, info, table)
		}
		o.open()
		testkit.Receive(t, begun, "a recording that is being measured")
		o.close()
		done := 0
		for _, session := range sessions {
			switch o.by(o.scope, session) {
			case movement.Read().Version:
				done++
			case "earlier":
			default:
				t.Errorf("%s was measured by %q", session, o.by(o.scope, session))
			}
		}
		if done == 0 || done > 7 {
			t.Errorf("%d were measured before the server stopped", done)
		}
		o.reader.measure = find
		o.open()
		o.awaitCurrent(sessions)
	})
}

func TestWhatCannotBeMeasuredKeepsWhatItHadAndHoldsUpNothing(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sessions := o.readEarlier(30)
		find := finding(movement.Read().Version, nothingMore)
		o.reader.measure = func(ctx context.Context, m upload.Measured, info []byte, table upload.File) ([]byte,
			error) {
			got, err := find(ctx, m, info, table)
			if text, _ := io.ReadAll(io.NewSectionReader(table, 0, table.Size())); strings.HasSuffix(string(text),
				"0") {
				return nil, errors.New("no reader could be started")
			}
			return got, err
		}
		o.open()
		var good []string
		for i, session := range sessions {
			if i%10 != 0 {
				good = append(good, session)
			}
		}
		o.awaitCurrent(good)
		for i := 0; i < len(sessions); i += 10 {
			if got := o.by(o.scope, sessions[i]); got != "earlier" {
				t.Errorf("recording %d was measured by %q", i, got)
			}
		}
		o.close()
		o.reader.measure = find
		o.open()
		o.awaitCurrent(sessions)
	})
}

func TestACorrectionInTheMiddleWinsOverWhatWasFoundByTheOldLabels(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sessions := o.readEarlier(1)
		find := finding(movement.Read().Version, nothingMore)
		var correct sync.Once
		o.reader.measure = func(ctx context.Context, m upload.Measured, info []byte, table upload.File) ([]byte,
			error) {
			correct.Do(func() {
				_, err := o.store.ChangeCapture(ctx, o.scope, sessions[0], nil,
					func(c capture.Capture, _ string) (capture.Capture, error) {
						c.Activity = new("golf")
						return c, nil
					})
				o.must(err)
			})
			return finding(movement.Read().Version, func(string) float64 { return float64(len(m.Activity)) })(ctx, m,
				info, table)
		}
		_ = find
		o.open()
		testkit.Until(t, "the recording is measured as golf", func() bool {
			got, err := o.store.Stored(context.Background(), o.scope, sessions[0])
			o.must(err)
			var info frames.Info
			o.must(json.Unmarshal(got.Info, &info))
			return info.Computed != nil &&
				*info.Computed.Metrics[0].Value == float64(len("table of walk 00")+len("golf"))
		})
	})
}

func TestADryRunSaysWhatWouldChangeAndChangesNothing(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		sessions := o.readEarlier(21)
		o.must(o.store.Hold(t.Context(), movement.Read().Version))
		before := o.tags(sessions)
		o.reader.measure = finding(movement.Read().Version, oddMore)
		r := jobs.Recompute{Library: o.store, Files: o.files, Reader: o.reader, Dry: true}
		seen, changed, after := 0, 0, upload.Outdated{}
		for done := false; !done; {
			var err error
			after, done, err = r.Part(t.Context(), o.scope, after, 5, 2, func(got jobs.Recomputed) {
				o.must(got.Err)
				seen++
				changed += len(got.Columns)
			})
			o.must(err)
		}
		if seen != 21 || changed != 10 {
			t.Errorf("%d recordings, %d values", seen, changed)
		}
		for i, tag := range o.tags(sessions) {
			if tag != before[i] || o.by(o.scope, sessions[i]) != "earlier" {
				t.Errorf("recording %d has changed", i)
			}
		}
	})
}
