package demo

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/demo/body"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/trc"
	"github.com/kinebase/kinebase/upload"
)

// take is a recorded movement of an athlete.
type take struct {
	file     string
	movement body.Movement
	athlete  int // place among the people
	visit    int // takes of one visit make a group
	ago      time.Duration
	hand     string // left or right; the athlete's own when empty
	again    bool   // the take before, written in another format
}

const day = 24 * time.Hour

// takes are of grown-ups who do such sports, the newest first.
var takes = []take{
	{file: "jump_arm_swing.c3d", movement: body.ArmSwing, athlete: 17, visit: 0, ago: 9 * time.Minute},
	{file: "jump_countermovement_1.c3d", movement: body.Countermovement, athlete: 17, visit: 0, ago: 12 * time.Minute},
	{file: "jump_squat.c3d", movement: body.SquatJump, athlete: 17, visit: 0, ago: 15 * time.Minute},
	{file: "squats.c3d", movement: body.Squats, athlete: 3, visit: 1, ago: day + 2*time.Hour},
	{file: "squats.trc", movement: body.Squats, athlete: 3, visit: 1, ago: day + 2*time.Hour, again: true},
	{file: "squat_single_leg.c3d", movement: body.SingleLegSquat, athlete: 3, visit: 1, ago: day + 2*time.Hour +
		6*time.Minute},
	{file: "pitch_1.c3d", movement: body.Pitch, athlete: 12, visit: 2, ago: 2*day + time.Hour},
	{file: "pitch_2.c3d", movement: body.Pitch, athlete: 12, visit: 2, ago: 2*day + time.Hour + 2*time.Minute},
	{file: "golf_right.c3d", movement: body.GolfSwing, athlete: 22, visit: 3, ago: 4*day + 3*time.Hour, hand: "right"},
	{file: "golf_left.c3d", movement: body.GolfSwing, athlete: 28, visit: 4, ago: 4*day + 4*time.Hour, hand: "left"},
	{file: "jump_countermovement_2.c3d", movement: body.Countermovement, athlete: 23, visit: 5,
		ago: 6*day + 5*time.Hour},
}

// Motions is how many captures have a motion file.
var Motions = len(takes)

// Motion is a capture whose file is yet to be brought, and the file. The group of
// the reservation is set, its end is not.
type Motion struct {
	upload.Reservation
	File []byte
}

// MotionsOf makes motion files up, as athletes of Records of the same seed and
// moment moved, the newest first.
func MotionsOf(seed uint64, now time.Time) ([]Motion, error) {
	l := newLab(seed, now)
	members := l.athletes() // just as Records begins
	// Chance of their own: more of them leave everything else as it is.
	l.Rand = rand.New(rand.NewPCG(seed, 0x6d6f74696f6e))
	groups := map[int]string{}
	all := make([]Motion, len(takes))
	noise := uint64(0)
	for i, t := range takes {
		if groups[t.visit] == "" {
			groups[t.visit] = l.id()
		}
		if !t.again {
			noise = l.Uint64()
		}
		m, at := members[t.athlete], l.now.Add(-t.ago)
		who := performer(m, t)
		file, err := t.write(who, noise)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
		c := t.labels(who)
		c.AthleteIDs, c.CaptureTime = []string{m.ID}, &at
		c.Status, c.Source = capture.AwaitingUpload, capture.SourceAPI
		all[i] = Motion{upload.Reservation{Capture: c, Group: groups[t.visit], FileName: t.file, TimeGiven: true}, file}
	}
	return all, nil
}

// performer is the body of an athlete; what is not known of it is average.
func performer(m member, t take) body.Person {
	p := body.Person{Stature: 1.75, Mass: 72, Left: cmp.Or(t.hand, m.DominantArm) == "left"}
	if m.Height > 0 && m.Weight > 0 {
		p.Stature, p.Mass = float64(m.Height)*0.0254, float64(m.Weight)*0.45359237
	}
	return p
}

// write makes the file.
func (t take) write(who body.Person, seed uint64) ([]byte, error) {
	rec, err := who.Record(t.movement, seed)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if strings.HasSuffix(t.file, ".trc") {
		err = trc.Write(&b, t.file, rec)
	} else {
		err = c3d.Write(&b, rec)
	}
	return b.Bytes(), err
}

// labels are what the movement is called.
func (t take) labels(who body.Person) capture.Capture {
	hand := "right"
	if who.Left {
		hand = "left"
	}
	label := map[body.Movement]struct {
		activity, movement string
		dimensions         map[string]string
	}{
		body.Countermovement: {"jump", "countermovement", map[string]string{"arm_position": "hands-on-hips"}},
		body.ArmSwing:        {"jump", "countermovement", map[string]string{"arm_position": "arm-swing"}},
		body.SquatJump:       {"jump", "squat", map[string]string{"arm_position": "hands-on-hips"}},
		body.Squats:          {"squat", "bodyweight", nil},
		body.SingleLegSquat:  {"squat", "single_leg", map[string]string{"footedness": hand}},
		body.Pitch:           {"baseball", "pitching", map[string]string{"handedness": hand}},
		body.GolfSwing:       {"golf", "swing", map[string]string{"handedness": hand}},
	}[t.movement]
	return capture.Capture{Activity: &label.activity, Movement: &label.movement, Dimensions: label.dimensions}
}

// File is a file of a folder that can be imported.
type File struct {
	Name string
	Data []byte
}

// Files are the motion files of MotionsOf without people, and the table
// kinebase.csv that says what they show. The same seed gives the same bytes.
func Files(seed uint64) ([]File, error) {
	motions, err := MotionsOf(seed, time.Unix(0, 0))
	if err != nil {
		return nil, err
	}
	columns := []string{"activity", "movement", "arm_position", "footedness", "handedness"}
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	rows := [][]string{append([]string{"file"}, columns...)}
	files := make([]File, 0, len(motions)+1)
	for _, m := range motions {
		row := []string{m.FileName, *m.Capture.Activity, *m.Capture.Movement}
		for _, name := range columns[2:] {
			row = append(row, m.Capture.Dimensions[name])
		}
		rows = append(rows, row)
		files = append(files, File{m.FileName, m.File})
	}
	if err := table.WriteAll(rows); err != nil {
		return nil, err
	}
	return append(files, File{"kinebase.csv", b.Bytes()}), nil
}
