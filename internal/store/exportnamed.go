package store

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// A request may name captures. Each of them has rows in the result, or the job says why it has none; only one that is
// deleted after the request is not told of, as its rows leave a result that is finished.

// chosenNamed is of a list of captures.
var chosenNamed = chosenColumns + `FROM (SELECT organization, sort_time, session_id, status, activity, movement, dimensions, fps, updated_at FROM capture
WHERE organization = $1 AND session_id IN (` + parameters(5, writeChunk) + `) LIMIT $2) c
CROSS JOIN capture_row r` + chosenJoined + `AND r.sort_time = c.sort_time ` + chosenOrder

// unchosen is the reason of a named capture that another field of the request leaves out.
const unchosen = "It is named, and another field of the request leaves it out: its athlete, activity, movement or time."

// named gives f what is chosen among the captures that the request names, then the others with the reason.
func (w *choosing) named(r export.Request) error {
	var found []chosen
	for part := range slices.Chunk(r.Captures, writeChunk) {
		_, args := parameterList(w.org, part, func(s string) any { return s })
		page, err := w.read(chosenNamed, writeChunk, args[1:]...)
		if err != nil {
			return err
		}
		found = append(found, page...)
	}
	place := make(map[db.ID]int, len(r.Athletes))
	for i, a := range r.Athletes {
		key, _ := organization.ParseID(a)
		place[key] = i
	}
	asked := map[string]bool{}
	found = slices.DeleteFunc(found, func(c chosen) bool {
		_, wanted := place[c.athlete]
		// The id of zeros in a request is an athlete who was erased since, and not nobody.
		wanted = wanted && c.athlete != (db.ID{}) || len(place) == 0
		fits := wanted && c.sortTime >= w.bounds.firstSort && c.sortTime <= w.bounds.lastSort && w.matches(c)
		asked[c.session] = asked[c.session] || fits
		return !fits
	})
	slices.SortFunc(found, func(a, b chosen) int {
		return cmp.Or(cmp.Compare(place[a.athlete], place[b.athlete]), cmp.Compare(a.sortTime, b.sortTime),
			strings.Compare(a.session, b.session), slices.Compare(a.athlete[:], b.athlete[:]))
	})
	if more, err := w.give(found); err != nil || !more {
		return err
	}
	return w.others(slices.DeleteFunc(slices.Clone(r.Captures), func(session string) bool { return asked[session] }))
}

// others gives f the captures of a list that are there, with the reason why none of their rows are chosen.
func (w *choosing) others(list []string) error {
	for part := range slices.Chunk(list, writeChunk) {
		status, err := statuses(w.t, w.org, part)
		if err != nil {
			return err
		}
		for _, session := range part {
			c := chosen{session: session, why: unchosen}
			switch is, there := status[session]; {
			case !there:
				continue
			case is != capture.Completed:
				c.why = "Its status is " + string(is) + ": only completed captures are exported."
			}
			if more, err := w.f(c); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// statuses gives the statuses of those captures that are there, of writeChunk at most.
func statuses(t db.Tx, org db.ID, list []string) (map[string]capture.Status, error) {
	found := make(map[string]capture.Status, len(list))
	in, args := parameterList(org, list, func(s string) any { return s })
	return found, t.Do(db.Each(func(row db.Rows) error {
		var session, status string
		err := row.Scan(&session, &status)
		found[session] = capture.Status(status)
		return err
	}, `SELECT session_id, status FROM capture WHERE organization = $1 AND session_id IN (`+in+`)`, args...))
}

// allThere is a fault.BadRequest that names the first capture of a request that the organization does not have.
func allThere(t db.Tx, org db.ID, captures []string) error {
	for part := range slices.Chunk(captures, writeChunk) {
		there, err := statuses(t, org, part)
		if err != nil {
			return err
		}
		for _, session := range part {
			if _, ok := there[session]; !ok {
				return fault.New(fault.BadRequest, "captures names %s, which is no capture of the organization",
					payload.Quote(session))
			}
		}
	}
	return nil
}

// A request that names captures is kept as an array: itself, and the ids as one text with a line feed before each,
// which no id has. A server of an older version cannot read it, and so builds no export of all captures in its place;
// and what replaces the id of an athlete in requests finds none in the text. The ids are kept until the parts are
// listed, or the job has ended otherwise. For the same reason a request whose rows are athletes is kept with an empty
// object behind it, where an older version wants a text.

// keptRequest writes a request as it is kept.
func keptRequest(r export.Request) (string, error) {
	ids := ""
	for _, session := range r.Captures {
		ids += "\n" + session
	}
	r.Captures = nil
	var kept any = r
	switch {
	case ids != "":
		kept = []any{r, ids}
	case r.Shape == export.RowPerAthlete:
		kept = []any{r, struct{}{}}
	}
	text, err := json.Marshal(kept)
	return string(text), err
}

// requestOf reads a request that is kept.
func requestOf(text string) (r export.Request, err error) {
	if !strings.HasPrefix(text, "[") {
		return r, json.Unmarshal([]byte(text), &r)
	}
	var ids any
	err = json.Unmarshal([]byte(text), &[]any{&r, &ids})
	if list, ok := ids.(string); ok {
		r.Captures = strings.Split(list, "\n")[1:]
	}
	return r, err
}

// forgetNamed takes the captures out of a request whose parts are listed. It is read again, for an athlete in it may
// have been erased since the worker has read it; the row is locked by mine.
func (w *writeTx) forgetNamed(p *building) error {
	if len(p.request.Captures) == 0 {
		return nil
	}
	var text string
	if err := w.Do(db.One(db.Into(&text), `SELECT request FROM export_build WHERE organization = $1 AND job = $2`, p.org,
		p.job)); err != nil {
		return err
	}
	r, err := requestOf(text)
	if err != nil {
		return err
	}
	r.Captures = nil
	kept, err := keptRequest(r)
	if err != nil {
		return err
	}
	return w.Do(db.Exec(`UPDATE export_build SET request = $3 WHERE organization = $1 AND job = $2`, p.org, p.job, kept))
}
