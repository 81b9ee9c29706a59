package store

import (
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// A transaction that changes something looks, with its first position, for webhooks of its organization, and
// writes a row for each event that one asks for: so that neither a change nor its delivery is there without
// the other. Without a webhook it is one look into a small table.

// listener is a webhook that is enabled.
type listener struct {
	key    db.ID
	events webhook.Events
}

// listeners makes the statement that finds them; none where a transaction that is committed together with this one has.
func (w *writeTx) listeners() []db.Statement {
	known, ok := w.Shared[w.Org].([]listener)
	w.listening = known
	if ok {
		return nil
	}
	find := db.Each(func(r db.Rows) error {
		var h webhook.Webhook
		if err := webhooks.Scan(r, &h); err != nil {
			return err
		}
		key, _ := organization.ParseID(h.ID)
		w.listening = append(w.listening, listener{key, h.Events})
		return nil
	}, `SELECT `+webhooks.List+` FROM webhook WHERE organization = $1 AND state = 0`, w.Org)
	if w.Shared == nil {
		return []db.Statement{find}
	}
	read := find.Read
	find.Read = func(r db.Rows) error {
		err := read(r)
		if err == nil {
			w.Shared[w.Org] = w.listening
		}
		return err
	}
	return []db.Statement{find}
}

// unheard has the webhooks looked up again by transactions that are committed together with this one: one has changed.
func (w *writeTx) unheard() { delete(w.Shared, w.Org) }

// tellAtOnce is how many deliveries a long transaction holds back.
const tellAtOnce = 1024

const deliveryHead = `INSERT INTO webhook_delivery (organization, id, webhook, changed, event, object, status, other, at, state, attempts, due, last_code, problem) VALUES `

// tell has the webhooks told that ask for an event. The transaction has a position already.
func (w *writeTx) tell(d webhook.Data) error {
	for _, l := range w.listening {
		if !l.events.Has(d.Event) {
			continue
		}
		position, err := w.position()
		if err != nil {
			return err
		}
		now := db.Micros(w.now())
		w.told = append(w.told, []any{w.Org, organization.NewID(), l.key, position, string(d.Event), d.ID, d.Status,
			d.From, now, int64(webhook.Pending), int64(0), now, int64(0), ""})
		w.Enqueue(job.Job{Work: job.Deliver, Organization: w.Org.String(), Subject: l.key.String()})
	}
	if len(w.told) < tellAtOnce {
		return nil
	}
	return w.tellAll()
}

// tellAll writes what is to be told.
func (w *writeTx) tellAll() error {
	if len(w.told) == 0 {
		return nil
	}
	told := w.told
	w.told = nil
	return w.Do(insertMany(deliveryHead, told)...)
}
