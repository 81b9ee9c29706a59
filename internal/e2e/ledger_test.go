package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/organization"
)

// person is what a test knows of an athlete.
type person struct {
	first, last, email string
	height             int
	attributes         map[string]string // "mark" names the athlete for ever
}

func (p *person) mark() string { return p.attributes["mark"] }

func (p *person) fields() client.AthleteFields {
	return client.AthleteFields{FirstName: &p.first, LastName: &p.last, Email: &p.email, Height: &p.height,
		CustomAttributes: p.attributes}
}

// is says whether a record is exactly this person.
func (p *person) is(a *client.Athlete) bool {
	if p == nil || a == nil {
		return p == nil && a == nil
	}
	return a.FirstName == p.first && a.LastName != nil && *a.LastName == p.last && a.Email != nil &&
		*a.Email == p.email &&
		a.Height != nil && *a.Height == p.height && maps.Equal(a.CustomAttributes, p.attributes)
}

// said is an athlete in a message.
func said(v any) string {
	text, err := json.Marshal(v)
	if p, ok := v.(*person); ok && p != nil {
		text, err = json.Marshal(p.fields())
	}
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// entry is what was promised about one athlete: what it is, and while the answer
// of a change is not known, what it may be instead. nil stands for no athlete.
type entry struct {
	id     string
	key    string // the idempotency key that it was created with
	now    *person
	or     *person
	doubt  bool
	looked bool // its search keys were looked at since it last changed
}

// allows says whether a record keeps the promise.
func (e *entry) allows(a *client.Athlete) bool { return e.now.is(a) || e.doubt && e.or.is(a) }

// writer is a caller who makes, changes and deletes athletes of its own.
type writer struct {
	t       *testing.T
	name    string
	chance  *rand.Rand
	client  *client.Client
	outage  bool // 503 may come, but there must be an answer; otherwise the other way round
	mortal  bool // there may be no answer either
	entries []*entry
	made    int
	most    int                 // steps from one inspection to the next; 0: no bound
	story   map[string][]string // what was said about each athlete, by mark

	acknowledged, refused *atomic.Int64
}

// comesBack is when a caller that was refused comes again: eight that ask at once, as fast as they
// can, would take both cores from the database that they wait for.
const comesBack = 20 * time.Millisecond

// work goes on until the server is gone or enough is closed. A request under way
// then is still waited for: one that is given up could yet be done, and be taken
// for a wrong answer later.
func (w *writer) work(ctx context.Context, enough <-chan struct{}) {
	for n := 0; !w.t.Failed() && (n < w.most || w.most == 0); n++ {
		refused := w.refused.Load()
		if !w.step(ctx) {
			return
		}
		pause := time.Duration(0)
		if w.refused.Load() > refused { // by its answer too the caller is to come back later
			pause = comesBack
		}
		select {
		case <-enough:
			return
		case <-time.After(pause):
		}
	}
}

// step does one thing and notes what came of it; false when there was no answer.
func (w *writer) step(ctx context.Context) bool {
	var living []*entry
	for _, e := range w.entries {
		if e.now != nil && !e.doubt {
			living = append(living, e)
		}
	}
	switch n := w.chance.IntN(10); {
	case len(w.entries) < 40 && (len(living) < 3 || n < 4 && len(living) < 20):
		return w.create(ctx)
	case len(living) == 0: // everything is in doubt
		return w.look(ctx, w.entries[w.chance.IntN(len(w.entries))])
	case n < 7:
		return w.update(ctx, living[w.chance.IntN(len(living))])
	case n < 8:
		return w.look(ctx, living[w.chance.IntN(len(living))])
	default:
		return w.delete(ctx, living[w.chance.IntN(len(living))])
	}
}

func (w *writer) create(ctx context.Context) bool {
	w.made++
	mark := fmt.Sprintf("%s-%d", w.name, w.made)
	p := &person{first: "Kim" + mark, last: "Revision0", email: mark + "@example.org", height: 1 + w.chance.IntN(120),
		attributes: map[string]string{"mark": mark, "revision": "0"}}
	e := &entry{or: p, doubt: true}
	var options []client.CallOption
	if w.chance.IntN(2) == 0 {
		e.key = "make " + mark
		options = append(options, client.IdempotencyKey(e.key))
	}
	w.entries = append(w.entries, e)
	made, err := w.client.CreateAthlete(ctx, p.fields(), options...)
	if made != nil {
		e.id = made.ID
	}
	return w.settle(e, "create", err)
}

func (w *writer) update(ctx context.Context, e *entry) bool {
	next := *e.now
	revision, _ := strconv.Atoi(next.attributes["revision"])
	next.attributes = maps.Clone(next.attributes)
	next.attributes["revision"] = strconv.Itoa(revision + 1)
	next.last = "Revision" + next.attributes["revision"]
	next.height = 1 + w.chance.IntN(120)
	if extra := "extra"; revision%2 == 0 {
		next.attributes[extra] = "there"
	} else {
		delete(next.attributes, extra)
	}
	e.or, e.doubt, e.looked = &next, true, false
	fields := next.fields()
	if revision%2 == 1 { // the interface deletes what is set to nothing
		fields.CustomAttributes = maps.Clone(next.attributes)
		fields.CustomAttributes["extra"] = ""
	}
	_, err := w.client.UpdateAthlete(ctx, e.id, fields)
	return w.settle(e, "update", err)
}

func (w *writer) delete(ctx context.Context, e *entry) bool {
	e.or, e.doubt = nil, true
	_, err := w.client.DeleteAthlete(ctx, e.id)
	return w.settle(e, "delete", err)
}

// look reads an athlete, which ends all doubt about it: whatever was done to it
// has been answered.
func (w *writer) look(ctx context.Context, e *entry) bool {
	id := e.id
	if id == "" { // not even that is known, but a question is a question
		id = organization.NewUUID()
	}
	a, err := w.client.Athlete(ctx, id)
	switch status(err) {
	case http.StatusOK, http.StatusNotFound:
		switch {
		case e.id == "":
		case !e.allows(a):
			w.t.Errorf("athlete %s reads %s (%v); acknowledged was %s, in doubt is %v %s", e.id, said(a), err,
				said(e.now), e.doubt, said(e.or))
		case e.doubt && e.or.is(a):
			e.now, e.or, e.doubt = e.or, nil, false
		default:
			e.or, e.doubt = nil, false
		}
		return true
	case 0:
		return w.silence(err)
	}
	return w.refusal("read", err)
}

// settle turns an answer into knowledge.
func (w *writer) settle(e *entry, what string, err error) bool {
	p := e.now
	if p == nil {
		p = e.or
	}
	w.tell(p.mark(), "%s: %d %v", what, status(err), err)
	switch status(err) {
	case http.StatusOK:
		e.now, e.or, e.doubt = e.or, nil, false
		w.acknowledged.Add(1)
		return true
	case 0:
		return w.silence(err)
	}
	// A caller must be able to rely on an answer that says nothing was changed.
	if strings.Contains(err.Error(), "Nothing was changed") {
		e.or, e.doubt = nil, false
	}
	return w.refusal(what, err)
}

// tell adds to the story of an athlete, which is printed when it turns out to be
// another one than was told.
func (w *writer) tell(mark, format string, args ...any) {
	if w.story == nil {
		w.story = map[string][]string{}
	}
	w.story[mark] = append(w.story[mark], time.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// silence is no answer: the end of this writer's work on a server that is killed.
func (w *writer) silence(err error) bool {
	if w.outage && !w.mortal {
		w.t.Errorf("the server lives, and gave no answer: %v", err)
	}
	return false
}

// refusal is an answer that nothing was done. A server that is too busy may say so at any
// time, for how long a caller waits is bounded; everything else comes in an outage alone.
func (w *writer) refusal(what string, err error) bool {
	w.refused.Add(1)
	if !w.outage && !busy(err) {
		w.t.Errorf("%s: %v", what, err)
		return false
	}
	if wrong := unavailable(err); wrong != nil {
		w.t.Errorf("%s is refused: %v", what, wrong)
	}
	return true
}

// inspect holds everything that a list of all athletes shows against what was
// promised to the writers, and takes it for known from now on. Athletes without
// a mark are somebody else's.
func inspect(ctx context.Context, t *testing.T, c *client.Client, writers []*writer) {
	t.Helper()
	shown := map[string]*client.Athlete{}
	var rows, total int64
	for offset := int64(0); offset == rows; offset += 500 {
		page, err := c.ListAthletes(ctx, client.AthleteFilter{Limit: 500, Offset: offset})
		if err != nil {
			t.Fatalf("list the athletes: %v", err)
		}
		total = page.TotalCount
		for i := range page.Athletes {
			a := &page.Athletes[i]
			if mark := a.CustomAttributes["mark"]; mark != "" {
				if shown[mark] != nil {
					t.Errorf("athlete %s is there twice", mark)
				}
				shown[mark] = a
			}
		}
		rows += int64(len(page.Athletes))
	}
	if rows != total {
		t.Errorf("total_count is %d, and the pages have %d athletes", total, rows)
	}
	for _, w := range writers {
		w.reconcile(ctx, c, shown)
	}
	for mark := range shown {
		t.Errorf("athlete %s is there, and was deleted or never made", mark)
		for _, w := range writers {
			if story := w.story[mark]; story != nil {
				t.Log(strings.Join(story, "\n"))
			}
		}
	}
}

// reconcile takes the writer's athletes out of what is shown.
func (w *writer) reconcile(ctx context.Context, c *client.Client, shown map[string]*client.Athlete) {
	w.t.Helper()
	var kept []*entry
	for _, e := range w.entries {
		p := e.now
		if p == nil {
			p = e.or
		}
		if p == nil { // gone for certain; a record of its mark is left over in shown
			continue
		}
		a := shown[p.mark()]
		delete(shown, p.mark())
		if !e.allows(a) {
			w.t.Errorf("athlete %s is %s; acknowledged was %s, in doubt is %v %s", p.mark(), said(a), said(e.now),
				e.doubt, said(e.or))
			continue
		}
		inDoubt := e.doubt
		switch {
		case e.now.is(a):
		case a == nil:
			e.now = nil
		default:
			e.now = e.or
		}
		e.or, e.doubt = nil, false
		if a != nil {
			e.id = a.ID
		}
		if inDoubt && e.key != "" && p.attributes["revision"] == "0" {
			w.repeat(ctx, c, e, p)
		}
		if inDoubt || !e.looked {
			w.search(ctx, c, e, p)
		}
		if e.now != nil {
			kept = append(kept, e)
		}
	}
	w.entries = kept
}

// repeat sends a creation with an idempotency key once more. The athlete is made
// exactly once, whichever of the two did it, and a deleted one does not return.
func (w *writer) repeat(ctx context.Context, c *client.Client, e *entry, p *person) {
	w.t.Helper()
	var meta client.Meta
	again, err := c.CreateAthlete(ctx, p.fields(), client.IdempotencyKey(e.key), client.WithMeta(&meta))
	switch {
	case e.now == nil && e.id != "": // it was made, and then deleted
		if status(err) != http.StatusNotFound {
			w.t.Errorf("the key of a deleted athlete answers %v, want 404", err)
		}
	case err != nil:
		w.t.Errorf("a creation is repeated with its key: %v", err)
	case e.now != nil && (!meta.Replayed || again.ID != e.id):
		w.t.Errorf("a repeated creation made %s, and %s was there (replayed %v)", again.ID, e.id, meta.Replayed)
	case e.now == nil && meta.Replayed:
		w.t.Error("an answer was kept for an athlete that was not")
	case e.now == nil:
		e.id, e.now = again.ID, p
	}
}

// search finds the athlete by its keys, or by none of them when it is not there.
func (w *writer) search(ctx context.Context, c *client.Client, e *entry, p *person) {
	w.t.Helper()
	current := p
	if e.now != nil {
		current = e.now
	}
	for name, filter := range map[string]client.AthleteFilter{
		"part of an address": {Search: strings.ToUpper(current.email)},
		"attributes": {Attributes: map[string]string{"mark": current.mark(),
			"revision": current.attributes["revision"]}},
	} {
		page, err := c.ListAthletes(ctx, filter)
		if err != nil {
			w.t.Fatalf("search by %s: %v", name, err)
		}
		want := int64(0)
		if e.now != nil {
			want = 1
		}
		if page.TotalCount != want || int64(len(page.Athletes)) != want || want == 1 && !e.now.is(&page.Athletes[0]) {
			w.t.Errorf("a search for %s by %s finds %d: %+v", current.mark(), name, page.TotalCount, page.Athletes)
		}
	}
	e.looked = true
}
