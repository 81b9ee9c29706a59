package e2e

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kinebase/kinebase/client"
)

// feedCopy is a copy of an organization that a program builds of the feed.
type feedCopy struct {
	*telling
	chance  *rand.Rand
	cursor  string
	objects map[occurrence]string // as JSON, by kind and id
	pages   int
}

// follow takes in what changes until it is enough.
func (f *feedCopy) follow(enough <-chan struct{}) {
	for !f.Failed() {
		more := f.page(time.Second)
		select {
		case <-enough:
			if !more {
				return
			}
		default:
		}
	}
}

// page takes in one page, or dies before it has, and says whether there is more.
func (f *feedCopy) page(wait time.Duration) (more bool) {
	filter := client.ChangeFilter{After: f.cursor, Object: true, Limit: 1 + f.chance.IntN(50), Wait: wait}
	var page *client.ChangePage
	err := f.insist(f.chance, func(c *client.Client) (err error) {
		page, err = c.ListChanges(f.Context(), filter)
		return err
	})
	if err != nil {
		f.Errorf("a page of the feed: %v", err)
		return false
	}
	if f.chance.IntN(10) == 0 {
		return true // what it had taken in of this page is lost with it
	}
	for _, c := range page.Changes {
		if of := (occurrence{c.Kind, c.ID}); c.Change == "deleted" {
			delete(f.objects, of)
		} else {
			f.objects[of] = string(c.Object)
		}
	}
	f.cursor = page.Cursor
	f.pages++
	return page.More
}

// rest takes in all that is left.
func (f *feedCopy) rest() {
	for f.page(0) {
	}
}

// stored reads what there is, object by object, as the feed gives them.
func (run *telling) stored() map[occurrence]string {
	run.Helper()
	c := run.servers[0].Load().client
	all := map[occurrence]string{}
	put := func(kind, id string, object any, err error) {
		text, wrong := json.Marshal(object)
		if err != nil || wrong != nil {
			run.Fatalf("%s %s: %v, %v", kind, id, err, wrong)
		}
		all[occurrence{kind, id}] = string(text)
	}
	for a, err := range c.Athletes(run.Context(), client.AthleteFilter{}) {
		put("athlete", a.ID, a, err)
	}
	for one, err := range c.Captures(run.Context(), client.CaptureFilter{}) {
		if err != nil {
			run.Fatal(err)
		}
		read, err := c.Capture(run.Context(), one.SessionID)
		put("capture", one.SessionID, read, err)
	}
	for j, err := range c.ExportJobs(run.Context()) {
		put("export", j.ID, j, err)
	}
	return all
}

// typed gives the copy's objects as the client reads them.
func (f *feedCopy) typed() map[occurrence]string {
	f.Helper()
	all := map[occurrence]string{}
	for of, text := range f.objects {
		var object any
		switch of.event {
		case "athlete":
			object = new(client.Athlete)
		case "capture":
			object = new(client.Capture)
		case "export":
			object = new(client.ExportJob)
		}
		err := json.Unmarshal([]byte(text), object)
		again, wrong := json.Marshal(object)
		if err != nil || wrong != nil {
			f.Fatalf("%s: %v, %v", text, err, wrong)
		}
		all[of] = string(again)
	}
	return all
}

// hold holds copies, deliveries and store against each other, and says how much it was.
func (run *telling) hold(changes, kills int) {
	run.Helper()
	stored := run.stored()
	run.known(stored)
	whole := &feedCopy{telling: run, chance: run.followers[0].chance, objects: map[occurrence]string{}}
	for n, f := range append(run.followers, whole) {
		f.rest()
		if typed := f.typed(); !maps.Equal(typed, stored) {
			run.Errorf("copy %d has %d objects, the store %d", n, len(typed), len(stored))
			shown := 0
			for of, object := range stored {
				if typed[of] != object && shown < 10 {
					shown++
					run.Logf("copy %d: %v is %s, in the store %s", n, of, typed[of], object)
				}
			}
		}
	}
	due := map[occurrence]int{}
	for _, w := range run.tellers {
		for of, n := range w.due {
			due[of] += n
		}
	}
	for _, r := range run.receivers {
		r.hold(due)
	}
	pages := 0
	for _, f := range run.followers {
		pages += f.pages
	}
	run.Logf("%d changes with %d kills; calls without an answer %d, refused %d; %d objects, %d pages of the feed",
		run.changes.Load(), kills, run.lost.Load(), run.refused.Load(), len(stored), pages)
}

// known holds the store against what the tellers know.
func (run *telling) known(stored map[occurrence]string) {
	run.Helper()
	left := maps.Clone(stored)
	for _, w := range run.tellers {
		for kind, ids := range map[string][]string{"athlete": w.athletes,
			"capture": slices.Concat(w.captures, w.recorded), "export": w.exported} {
			for _, id := range ids {
				if _, there := left[occurrence{kind, id}]; !there {
					run.Errorf("%s %s of %s is not there", kind, id, w.name)
				}
				delete(left, occurrence{kind, id})
			}
		}
	}
	for of := range left {
		run.Errorf("%v is there, and was deleted or never made", of)
	}
}

// hold holds what a receiver was told against what there was to be told.
func (r *receiver) hold(due map[occurrence]int) {
	r.Helper()
	r.Lock()
	defer r.Unlock()
	once := []string{"athlete.created", "athlete.deleted", "capture.created", "capture.deleted", "export.completed"}
	missed, twice := 0, 0
	for of, n := range due {
		got := len(r.events[of])
		if !r.asks(of.event) {
			n = 0
		}
		if got < n || got > n && (n == 0 || slices.Contains(once, of.event)) {
			r.Errorf("%s of %s was told %d times, and happened %d times", of.event, of.id, got, n)
			missed++
		}
	}
	for of := range r.events {
		if due[of] == 0 && slices.Contains(once, of.event) {
			r.Errorf("%s of %s was told, and never happened", of.event, of.id)
		}
	}
	for _, n := range r.taken {
		if n > 1 {
			twice++
		}
	}
	r.Logf("%v: %d calls, %d of them failed; %d deliveries, all signed, %d of them came twice; %d events missed",
		r.asked, r.calls, r.failures, len(r.taken), twice, missed)
}
