package httpapi_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/payload"
)

// lab is an organization, and all that was brought into it.
type lab struct {
	*testing.T
	app       *apptest.App
	id, token string
	people    []*human
	takes     []*take
	moments   []time.Time // before the first change of a capture, and behind each
}

type human struct {
	id, name string
	gone     bool
}

// take is a capture. What is in its file stands in recording.
type take struct {
	id                 string
	people             []*human
	activity, movement string // "" for none
	dimensions         map[string]string
	captured           *time.Time
	completed, gone    bool
	*recording                 // nil: it has no motion
	rate               float64 // by which somebody corrected it; 0: nobody did
	changed            int     // the moment after which it changed last
	motion             telling
}

// marked is an event that the file has, in the recording or not.
type marked struct {
	Time  float64
	Frame *int
}

// telling is what is told of a recording, which the reference takes to be true.
type telling struct {
	Duration float64
	Events   []marked
	Computed *struct {
		Events []struct {
			Column string
			Frame  int
			Time   float64
		}
		Metrics []struct {
			Column string
			Value  *float64
			Text   *string
		}
	}
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func newLab(t *testing.T, a *apptest.App, r *rand.Rand) *lab {
	l := &lab{T: t, app: a, id: a.Organization()}
	l.token = a.Token(l.id)
	for range 1 + r.IntN(4) {
		first, last := one(r, "Ann", `O"Neil`, "Lee, Jo", "🏃 émile", "=1+1", "-x", "+1", "@cmd", "a;b", "007", "true",
			"null", "'quoted'"), one(r, "", "", `"`, ",", "-1e5", "Ñandú", "=SUM(A1:A9)")
		body, err := json.Marshal(map[string]string{"first_name": first, "last_name": last})
		if err != nil {
			t.Fatal(err)
		}
		id, _ := person(t, a, l.token, string(body))
		l.people = append(l.people, &human{id: id, name: strings.TrimSpace(first + " " + last)})
	}
	l.moment()
	return l
}

// moment waits until what comes is later than what was, by a whole millisecond.
func (l *lab) moment() {
	now := time.Now().UnixMilli()
	l.app.Until("a millisecond is over", func() bool { return time.Now().UnixMilli() > now })
	l.moments = append(l.moments, time.UnixMilli(now+1).UTC())
}

var noon = time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)

// film brings a capture in, in one of the ways in which they come.
func (l *lab) film(r *rand.Rand) {
	k := &take{dimensions: map[string]string{}}
	for _, p := range l.people {
		if len(k.people) < 3 && r.IntN(2) == 0 {
			k.people = append(k.people, p)
		}
	}
	if r.IntN(4) > 0 {
		at := noon.Add(time.Duration(r.IntN(5)) * one(r, 0, time.Millisecond, time.Hour, 24*time.Hour))
		k.captured = &at
	}
	pair := one(r, capture.Pairs()...)
	switch r.IntN(6) {
	case 0:
	case 1:
		k.activity, k.movement = "Yoga, =1", `tree "pose" 🌳`
	default:
		k.activity, k.movement = one(r, pair[0], strings.ToUpper(pair[0])), pair[1]
		for _, d := range capture.Dimensions(pair[0], pair[1]) {
			if r.IntN(4) > 0 {
				k.dimensions[d] = map[string]string{
					"handedness": "left", "footedness": "right", "arm_position": "arm-swing",
					"y_balance_lower_quarter_direction": "Anterior",
					"y_balance_upper_quarter_direction": "Medial", "overhand_serve_type": "pinpoint",
					"direction": "left",
				}[d]
				if k.dimensions[d] == "" {
					k.dimensions[d] = one(r, "-1", "a,b", `"`, "33.5", "ü")
				}
			}
		}
	}
	if r.IntN(6) == 0 { // without motion, from elsewhere
		k.id, k.completed = fmt.Sprintf("%s %d_%d", one(r, "=trial", "Ä,", `"`), r.IntN(1e9), len(l.takes)),
			r.IntN(2) == 0
		l.bring(k, map[bool]string{true: "completed", false: "error"}[k.completed])
	} else {
		l.record(k, r)
	}
	l.takes = append(l.takes, k)
	k.changed = len(l.moments) - 1
	l.moment()
}

func (k *take) ids() []string {
	ids := []string{}
	for _, p := range k.people {
		ids = append(ids, p.id)
	}
	return ids
}

func (l *lab) json(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		l.Fatal(err)
	}
	return string(b)
}

func (l *lab) bring(k *take, status string) {
	line := map[string]any{"type": "capture", "session_id": k.id, "status": status, "athlete_ids": k.ids(),
		"dimensions": k.dimensions}
	if k.activity != "" {
		line["activity"], line["movement"] = k.activity, k.movement
	}
	if k.captured != nil {
		line["capture_time"] = k.captured.Format(payload.TimeLayout)
	}
	fill(l.T, l.app, l.id, l.json(line))
}

// record sends a file, which now and then is none.
func (l *lab) record(k *take, r *rand.Rand) {
	name, file, rec := draw(l.T, r)
	jump := r.IntN(5) == 0
	if jump {
		name, file, rec = leap(r)
		k.activity, k.movement, k.dimensions = "jump", "countermovement", map[string]string{"arm_position": "arm-swing"}
	}
	body := map[string]any{"athlete_ids": k.ids(), "file_name": name}
	if k.captured != nil {
		body["capture_time"] = k.captured.Format(time.RFC3339Nano)
	}
	if k.activity != "" {
		attributes := map[string]string{"activity": k.activity, "movement": k.movement}
		for d, v := range k.dimensions {
			attributes[d] = v
		}
		body["movement_attributes"] = attributes
	}
	reserved := reserve(l.T, l.app, l.token, l.json(body))
	k.id = reserved.SessionID
	switch r.IntN(12) {
	case 0:
		return // the file never comes
	case 1:
		upload(l.T, l.app, reserved, string(file[:min(20, len(file))])).Want(204)
		if status := settled(l.app, l.token, k.id); status != "error" {
			l.Fatalf("the beginning of a file is %s", status)
		}
		return
	}
	upload(l.T, l.app, reserved, string(file)).Want(204)
	if status := settled(l.app, l.token, k.id); status != "completed" {
		l.Fatalf("%s is %s: %s", name, status, l.app.Get("/captures/"+k.id, l.token).Body)
	}
	k.completed, k.recording = true, rec
	correct := func(body string) {
		l.app.Do("PATCH", "/captures/"+k.id, l.token, body, "Content-Type", "application/json").Want(200)
	}
	if k.captured == nil && r.IntN(2) == 0 { // it has the time at which it was announced
		at, err := time.Parse(time.RFC3339, l.app.Get("/captures/"+k.id, l.token).Object()["capture_time"].(string))
		if err != nil {
			l.Fatal(err)
		}
		k.captured = &at
	} else if k.captured == nil {
		correct(`{"capture_time":null}`)
	}
	defer l.told(k)
	if jump {
		return
	}
	if r.IntN(4) == 0 {
		k.rate = one(r, 29.97, 250, 1000.0/3)
		correct(l.json(map[string]any{"fps": k.rate}))
	}
	if r.IntN(6) == 0 {
		k.activity, k.movement, k.dimensions = "tennis", "forehand", map[string]string{"handedness": "right"}
		correct(`{"activity":"tennis","movement":"forehand","handedness":"right"}`)
	}
}

// told takes what is told of a recording, and what was computed of it: a file's own event or
// metric of a name wins.
func (l *lab) told(k *take) {
	l.app.Get("/captures/"+k.id+"/motion", l.token).Want(200).Into(&k.motion)
	inside := slices.DeleteFunc(k.motion.Events, func(e marked) bool { return e.Frame == nil })
	slices.SortStableFunc(inside, func(a, b marked) int { return cmp.Compare(a.Time, b.Time) })
	if len(inside) != len(k.events) {
		l.Fatalf("%s has the events %+v, want %+v", k.id, inside, k.events)
	}
	for i := range inside {
		k.events[i].time = inside[i].Time
	}
	if k.motion.Computed == nil {
		return
	}
	taken := slices.Clone(first)
	for _, c := range k.columns {
		taken = append(taken, c.name)
	}
	for _, e := range k.motion.Computed.Events {
		k.events = append(k.events, event{e.Column, e.Frame, e.Time})
	}
	for _, m := range k.motion.Computed.Metrics {
		c := metric{name: distinct(taken, []string{m.Column})[0]}
		if m.Value != nil {
			c.value = *m.Value
		} else {
			c.value = *m.Text
		}
		k.metrics = append(k.metrics, c)
	}
}

// forget deletes a capture or an athlete.
func (l *lab) forget(r *rand.Rand) {
	if r.IntN(2) == 0 {
		if k := one(r, append(l.takes, nil)...); k != nil && !k.gone {
			l.app.Delete("/captures/"+strings.NewReplacer(" ", "%20", `"`, "%22", "/", "%2F").Replace(k.id),
				l.token).Want(200)
			k.gone = true
		}
		return
	}
	p := one(r, l.people...)
	if p.gone {
		return
	}
	l.app.Delete("/athletes/"+p.id, l.token).Want(200)
	p.gone = true
	for _, k := range l.takes {
		before := len(k.people)
		k.people = slices.DeleteFunc(k.people, func(q *human) bool { return q == p })
		k.gone = k.gone || before > 0 && len(k.people) == 0
	}
}

// result is a completed export and what ought to be in it.
type result struct {
	*lab
	wish  wish
	path  string
	parts []part
	kept  bool     // files are wanted as they are kept, not as they are written at once
	names []string // the columns that the captures had when it was made
}

// ask asks for an export. It gives nil when it is refused, as it then has to be.
func (l *lab) ask(w wish) *result {
	parts, skipped, wrong := l.chosen(w)
	body := l.json(w.body)
	if wrong != "" {
		if answer := l.app.Post("/data/export", l.token, body).Want(400); !bytes.Contains(answer.Body, []byte(wrong)) {
			l.Fatalf("%s is refused by %s, want it to name %s", body, answer.Body, wrong)
		}
		return nil
	}
	job := exported(l.T, l.app, l.token, body)
	if job.Status != "COMPLETED" || job.RowCount == nil {
		l.Fatalf("%s is %+v", body, job)
	}
	left, reasons := map[string]bool{}, map[string]int64{}
	for _, s := range job.Skipped {
		left[s.CaptureID] = s.Reason != ""
		reasons[s.Reason]++
	}
	for i, r := range job.SkippedReasons {
		if reasons[r.Reason] != r.Count || i > 0 && job.SkippedReasons[i-1].Count < r.Count {
			l.Fatalf("%s leaves captures out for the reasons %v, and says %v", body, reasons, job.SkippedReasons)
		}
	}
	if len(reasons) != len(job.SkippedReasons) {
		l.Fatalf("%s leaves captures out for the reasons %v, and says %v", body, reasons, job.SkippedReasons)
	}
	if fmt.Sprint(left) != fmt.Sprint(skipped) || int(job.SkippedCount) != len(left) {
		l.Fatalf("%s leaves out %v, want %v", body, left, skipped)
	}
	return &result{lab: l, wish: w, path: "/data/export/job/" + job.JobID + "/results", parts: parts,
		names: ownColumns(parts, w.metrics)}
}
