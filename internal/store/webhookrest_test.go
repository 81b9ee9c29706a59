package store

import (
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// Each change has a job look for deliveries, in a transaction that everybody else waits for on SQLite.
func TestWhoLooksForTestsOfAReceiverThatRestsDoesNotLookThroughAllThatWaits(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		h := hooked(t, s, sc, webhook.AthleteCreated)
		create(t, s, sc, person("Jo"))
		if batch(t, s, sc, h, outcome(s, batch(t, s, sc, h, nil), 500)) != nil {
			t.Fatal("it does not rest")
		}
		ping, err := s.Ping(t.Context(), sc, h.ID, nil)
		must(t, err)
		key, _ := organization.ParseID(h.ID)
		looked := func() int64 {
			e := &explainer{t: t}
			var next *webhook.Turn
			must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) (err error) {
				e.Tx, w.Write.Tx = w.Write.Tx, e
				defer func() { w.Write.Tx = e.Tx }()
				if next, err = s.turn(w, key, nil); err != nil || next == nil {
					return err
				}
				return w.Do(db.Exec(`UPDATE webhook SET lease = 0 WHERE organization = $1 AND id = $2`, w.Org, key))
			}))
			if next == nil || len(next.Deliveries) != 1 || next.Deliveries[0].ID != ping.ID {
				t.Fatalf("the batch is %v, not the test", next)
			}
			if len(e.seen) != 1 || e.seen[0].scans {
				t.Fatalf("it looks by %+v", e.seen)
			}
			return e.seen[0].rows
		}
		few := looked()
		for range 300 {
			create(t, s, sc, person("many"))
		}
		if many := looked(); many > few+10 { // the end of a range costs a step or two
			t.Errorf("%d rows or steps with 1 delivery that waits, %d with 301", few, many)
		}
	})
}

func TestWhatAReceiverAnswersAfterItWasReplacedSaysNothingOfTheNextOne(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		h := hooked(t, s, sc, webhook.AthleteCreated)
		create(t, s, sc, person("Jo"), person("Ann"))
		for _, status := range []int{410, 500} {
			turn := batch(t, s, sc, h, nil)
			if turn == nil {
				t.Fatalf("nothing is delivered to the receiver before an answer of %d", status)
			}
			changed, err := s.ChangeWebhook(t.Context(), sc, h.ID, nil,
				func(h webhook.Webhook) (webhook.Webhook, error) {
					return webhook.Change{URL: ptr(h.URL + "/next")}.Apply(h, s.now()), nil
				})
			must(t, err)
			turn = outcome(s, turn, status)
			turn.Last = true
			batch(t, s, sc, h, turn)
			now, err := s.Webhook(t.Context(), sc, h.ID)
			must(t, err)
			if now.State != webhook.Enabled || now.FailingSince != nil || now.RestUntil != nil ||
				now.URL != changed.URL {
				t.Errorf("after an answer of %d to what was sent before: %+v", status, now)
			}
			create(t, s, sc, person("Eve"))
		}
		for _, d := range noted(t, s, sc, h) {
			if d.State != webhook.Pending {
				t.Errorf("a delivery is %s and not sent to the next receiver", d.State)
			}
		}
	})
}
