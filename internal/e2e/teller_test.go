package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// teller makes random changes of objects that are its own, and notes which events must be told of them.
type teller struct {
	*telling
	name   string
	chance *rand.Rand
	said   int // calls that changed something, by which keys are told apart

	athletes, captures []string
	recorded, exported []string            // captures with a file, which stay, and exports
	links              map[string][]string // athletes by capture
	due                map[occurrence]int  // how many deliveries there must be at least
}

// work goes on until there are enough changes of all tellers together.
func (w *teller) work() {
	for w.changes.Load() < w.want && !w.Failed() {
		w.step()
	}
}

// of picks one of several, which are there.
func (w *teller) of(ids []string) string { return ids[w.chance.IntN(len(ids))] }

// do makes a change, which must be done, and once; it has an idempotency key.
func (w *teller) do(what string, call func(ctx context.Context, c *client.Client, key client.CallOption) error) {
	w.said++
	key := client.IdempotencyKey(fmt.Sprintf("%s %d", w.name, w.said))
	if err := w.insist(w.chance, func(c *client.Client) error { return call(w.Context(), c, key) }); err != nil {
		w.Errorf("%s: %v", what, err)
	}
	w.changes.Add(1)
}

// end makes a deletion, which has no key: done before is done too.
func (w *teller) end(what string, call func(ctx context.Context, c *client.Client) error) {
	err := w.insist(w.chance, func(c *client.Client) error { return call(w.Context(), c) })
	if err != nil && status(err) != http.StatusNotFound {
		w.Errorf("%s: %v", what, err)
	}
	w.changes.Add(1)
}

func (w *teller) step() {
	switch n := w.chance.IntN(100); {
	case n < 15 && len(w.athletes) < 40 || len(w.athletes) < 3:
		w.do("create an athlete", func(ctx context.Context, c *client.Client, key client.CallOption) error {
			fields := client.AthleteFields{FirstName: ptr(fmt.Sprint(w.name, " ", w.said))}
			made, err := c.CreateAthlete(ctx, fields, key)
			if err == nil {
				w.athletes = append(w.athletes, made.ID)
				w.due[occurrence{"athlete.created", made.ID}]++
			}
			return err
		})
	case n < 30 && len(w.captures) < 60 || len(w.captures) < 3:
		w.reserve()
	case n < 34:
		w.undo()
	case n < 50:
		id := w.of(w.athletes)
		w.do("rename an athlete", func(ctx context.Context, c *client.Client, key client.CallOption) error {
			fields := client.AthleteFields{LastName: ptr(fmt.Sprint("Revision ", w.said))}
			_, err := c.UpdateAthlete(ctx, id, fields, key)
			return err
		})
		w.due[occurrence{"athlete.updated", id}]++
	case n < 65:
		id := w.of(w.captures)
		w.do("correct a capture", func(ctx context.Context, c *client.Client, _ client.CallOption) error {
			_, err := c.Correct(ctx, id, client.Correction{Activity: ptr(fmt.Sprint(w.name, " ", w.said))})
			return err
		})
		w.due[occurrence{"capture.updated", id}]++
	case n < 73:
		w.link()
	case n < 80:
		id := w.of(w.captures)
		w.end("delete a capture", func(ctx context.Context, c *client.Client) error {
			_, err := c.DeleteCapture(ctx, id)
			return err
		})
		w.gone(id)
	case n < 89:
		id := w.of(w.athletes)
		w.end("delete an athlete", func(ctx context.Context, c *client.Client) error {
			_, err := c.DeleteAthlete(ctx, id)
			return err
		})
		w.leaves(id, "")
	case n < 93:
		w.merge()
	case n < 96 && len(w.recorded) < 40:
		w.record()
	case n < 97:
		w.do("export", func(ctx context.Context, c *client.Client, key client.CallOption) error {
			job, err := c.CreateExport(ctx, client.NewExport{Activity: w.name}, key)
			if err == nil {
				w.exported = append(w.exported, job.ID)
				w.due[occurrence{"export.completed", job.ID}]++
			}
			return err
		})
	default:
		id := w.of(w.captures)
		if len(w.links[id]) == 0 {
			return
		}
		who := w.of(w.links[id])
		w.end("unlink", func(ctx context.Context, c *client.Client) error {
			_, err := c.Unlink(ctx, id, who)
			return err
		})
		w.links[id] = slices.DeleteFunc(w.links[id], func(a string) bool { return a == who })
		w.due[occurrence{"capture.updated", id}]++
	}
}

// undo asks for a change that is rolled back, for the athlete has changed since: nothing of it may be told.
func (w *teller) undo() {
	fields := client.AthleteFields{LastName: ptr("Never")}
	err := w.insist(w.chance, func(c *client.Client) error {
		_, err := c.UpdateAthlete(w.Context(), w.of(w.athletes), fields, client.IfMatch(`"never"`))
		return err
	})
	if status(err) != http.StatusPreconditionFailed {
		w.Errorf("a change of what has changed since: %v", err)
	}
}

// reserve makes a capture, of up to two athletes.
func (w *teller) reserve() {
	var who []string
	for range w.chance.IntN(3) {
		if id := w.of(w.athletes); !slices.Contains(who, id) {
			who = append(who, id)
		}
	}
	w.do("reserve", func(ctx context.Context, c *client.Client, key client.CallOption) error {
		r, err := c.Reserve(ctx, client.NewCapture{FileName: "walk.c3d", AthleteIDs: who}, key)
		if err == nil {
			w.captures = append(w.captures, r.SessionID)
			w.links[r.SessionID] = who
			w.due[occurrence{"capture.created", r.SessionID}]++
		}
		return err
	})
}

// record makes a capture with a file.
func (w *teller) record() {
	w.reserve()
	if w.Failed() {
		return
	}
	last := len(w.captures) - 1
	id := w.captures[last]
	w.captures = w.captures[:last]
	for _, who := range w.links[id] {
		w.end("unlink", func(ctx context.Context, c *client.Client) error {
			_, err := c.Unlink(ctx, id, who)
			return err
		})
	}
	delete(w.links, id) // it stays whatever becomes of athletes
	w.recorded = append(w.recorded, id)
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 1), Frames: 5})
	err := w.insist(w.chance, func(c *client.Client) error { return c.PutFile(w.Context(), id, bytes.NewReader(file)) })
	if err != nil && status(err) != http.StatusConflict { // the file has come before
		w.Errorf("send a file: %v", err)
	}
	w.changes.Add(1)
	w.due[occurrence{"capture.completed", id}]++
}

// link links an athlete to a capture that does not have it.
func (w *teller) link() {
	id, who := w.of(w.captures), w.of(w.athletes)
	if slices.Contains(w.links[id], who) || len(w.links[id]) > 3 {
		return
	}
	w.do("link", func(ctx context.Context, c *client.Client, key client.CallOption) error {
		_, err := c.Link(ctx, id, []string{who}, key)
		return err
	})
	w.links[id] = append(w.links[id], who)
	w.due[occurrence{"capture.updated", id}]++
}

// merge makes one athlete of two.
func (w *teller) merge() {
	id, from := w.of(w.athletes), w.of(w.athletes)
	if id == from {
		return
	}
	done := true
	w.do("merge", func(ctx context.Context, c *client.Client, key client.CallOption) error {
		_, err := c.MergeAthletes(ctx, id, from, key)
		if done = status(err) != http.StatusConflict; !done {
			return nil // an export is being built
		}
		return err
	})
	if !done {
		w.changes.Add(-1)
		return
	}
	w.due[occurrence{"athlete.merged", id}]++
	w.leaves(from, id)
}

// leaves notes the end of an athlete. Captures of nobody else end too, unless another athlete takes over.
func (w *teller) leaves(id, heir string) {
	w.due[occurrence{"athlete.deleted", id}]++
	w.athletes = slices.DeleteFunc(w.athletes, func(a string) bool { return a == id })
	for capture, who := range w.links {
		if !slices.Contains(who, id) {
			continue
		}
		who = slices.DeleteFunc(who, func(a string) bool { return a == id })
		if heir != "" && !slices.Contains(who, heir) {
			who = append(who, heir)
		}
		if w.links[capture] = who; len(who) == 0 {
			w.gone(capture)
		}
	}
}

// gone notes the end of a capture.
func (w *teller) gone(id string) {
	w.due[occurrence{"capture.deleted", id}]++
	w.captures = slices.DeleteFunc(w.captures, func(c string) bool { return c == id })
	delete(w.links, id)
}
