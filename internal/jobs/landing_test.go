package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/upload"
)

// bucket is a landing room that can be away.
type bucket struct {
	upload.Landings
	looks chan error
}

func (b bucket) Landed(context.Context, func(upload.Landing) error) error { return <-b.looks }

func TestALostBucketIsToldOnceWhenItGoesAndOnceWhenItIsBack(t *testing.T) {
	b := bucket{looks: make(chan error)}
	var log bytes.Buffer
	j := Jobs{landings: &landingPoller{Options: Options{Landings: b, Log: slog.New(slog.NewTextHandler(&log, nil))}}}
	ctx, cancel := context.WithCancel(t.Context())
	tick, done := make(chan time.Time), make(chan struct{})
	go func() { defer close(done); j.landings.loop(ctx, tick) }()
	away := errors.New("away")
	for n, look := range []error{nil, away, away, away, nil, nil, away, nil} {
		tick <- time.Time{}
		b.looks <- look
		tick <- time.Time{} // the look before is done
		if j.BucketLost() != (look != nil) {
			t.Errorf("look %d: lost is %v", n, j.BucketLost())
		}
		b.looks <- look
	}
	cancel()
	<-done
	if gone, back := strings.Count(log.String(), "cannot be looked into"),
		strings.Count(log.String(), "looked into again"); gone != 2 || back != 2 {
		t.Errorf("told %d times that it went and %d times that it is back:\n%s", gone, back, log.String())
	}
	if (&Jobs{}).BucketLost() {
		t.Error("where there is no bucket one is lost")
	}
}
