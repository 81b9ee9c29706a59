package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river/riverdriver"
)

func TestTheListenerTellsOfTheQueuesThatTheStoreNamesAndOfAllWhenItNamesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := make(chan []string)
		d := &listening{queues: []string{"a", "b", "c"}, await: func(ctx context.Context) ([]string, error) {
			select {
			case queues := <-store:
				return queues, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}
		l := d.GetListener(nil)
		for _, topic := range []string{"river_control", insertTopic} {
			if err := l.Listen(t.Context(), topic); err != nil {
				t.Fatal(err)
			}
		}
		heard := make(chan *riverdriver.Notification, 9)
		listen := func(ctx context.Context) {
			for {
				n, err := l.WaitForNotification(ctx)
				if err != nil {
					return
				}
				heard <- n
			}
		}
		// The library calls a wait off to see whether the listener lives, and begins another.
		ctx, cancel := context.WithCancel(t.Context())
		go listen(ctx)
		synctest.Wait()
		cancel()
		go listen(t.Context())
		for _, c := range []struct{ told, want []string }{{[]string{"b"}, []string{"b"}},
			{nil, []string{"a", "b", "c"}}} {
			store <- c.told
			synctest.Wait()
			if len(heard) != 0 {
				t.Fatalf("told of %q, it notified before the jobs are due", c.told)
			}
			<-time.After(due)
			synctest.Wait()
			if len(heard) != len(c.want) {
				t.Fatalf("told of %q, it notified %d times", c.told, len(heard))
			}
			for _, queue := range c.want {
				if n := <-heard; n.Topic != insertTopic || n.Payload != `{"queue":"`+queue+`"}` {
					t.Errorf("told of %q, it said %+v", c.told, n)
				}
			}
		}
	})
}
