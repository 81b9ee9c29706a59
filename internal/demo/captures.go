package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
)

// values are the values of the dimensions: the known lists, and for the free
// ones what a lab would write.
var values = map[string][]string{
	"handedness":                        {"right", "right", "right", "left"},
	"footedness":                        {"right", "right", "left"},
	"arm_position":                      {"arm-swing", "hands-on-hips"},
	"direction":                         {"left", "right"},
	"y_balance_lower_quarter_direction": {"Anterior", "Posteromedial", "Posterolateral"},
	"y_balance_upper_quarter_direction": {"Medial", "Superolateral", "Inferolateral"},
	"overhand_serve_type":               {"pinpoint", "platform"},
	"bat_length":                        {"28", "29", "30", "31", "32", "32.5", "33", "33.5", "34"},
	"body_position":                     {"kneeling", "standing", "supine"},
	"plank_orientation":                 {"prone", "left_side", "right_side"},
	"plank_position":                    {"forearm", "high"},
	"eyes":                              {"open", "closed"},
}

// reasons are why a capture ended as an error, for people of a lab to read.
var reasons = []string{
	"The athlete left the cameras' view before the movement ended.",
	"Two cameras were not synchronised; record again after pairing them.",
	"The recording is shorter than half a second.",
	"No person was found in the video.",
	"The file ends in the middle of a frame; upload it again.",
}

// rates are frame rates as detected: cameras rarely keep exactly what they promise.
var rates = []float64{60, 59.94, 100, 119.88, 120, 239.76, 240, 250, 300, 480, 500, 1000}

// captures makes visits up until there are enough: an athlete comes for an hour
// and is recorded a few times.
func (l lab) captures(members []member) []capture.Capture {
	all := make([]capture.Capture, 0, Captures)
	for len(all) < Captures {
		visit := l.visit(members)
		all = append(all, visit[:min(len(visit), Captures-len(all))]...)
	}
	// Chance alone could leave a rare pair out.
	for i, pair := range capture.Pairs() {
		l.perform(&all[i*Captures/len(capture.Pairs())], pair)
	}
	l.age(all)
	return all
}

// visit is what is recorded of an athlete in one go: one group, numbered.
func (l lab) visit(members []member) []capture.Capture {
	m := members[l.IntN(len(members))]
	at := l.ago(l.now.Sub(m.joined))
	at = time.Date(at.Year(), at.Month(), at.Day(), l.between(8, 18), l.IntN(60), l.IntN(60), 0, time.UTC)
	if at.After(l.now) {
		at = at.AddDate(0, 0, -1)
	}
	linked := []string{m.ID}
	switch {
	case l.chance(10):
		linked = nil // nobody has said yet who it was
	case l.chance(30):
		if partner := members[l.IntN(len(members))]; partner.ID != m.ID {
			linked = append(linked, partner.ID)
		}
	}
	group, source := l.id(), one(l, "mobile", "mobile", "mobile", capture.SourceAPI, capture.SourceAPI,
		capture.SourceImport)
	fps := one(l, rates...)
	pairs := repertoire(m.Activity)
	pair := one(l, pairs...)

	visit := make([]capture.Capture, l.between(3, 14))
	for i := range visit {
		if l.chance(250) {
			pair = one(l, pairs...)
		}
		c := &visit[i]
		c.SessionID, c.AthleteIDs, c.Source, c.Status = fmt.Sprintf("%s_%d", group, i+1), linked, source,
			capture.Completed
		at = at.Add(time.Duration(l.between(20_000, 240_000)) * time.Millisecond)
		if when := at; when.Before(l.now) {
			c.CaptureTime = &when
		}
		rate := fps
		c.FPSDetected = &rate
		l.perform(c, pair)
	}
	return visit
}

// repertoire is what an athlete of a sport is recorded at: the sport's own
// movements, and the tests that everybody does.
func repertoire(sport string) [][2]string {
	var pairs [][2]string
	for _, p := range capture.Pairs() {
		switch p[0] {
		case "baseball", "softball", "tennis", "basketball", "golf":
			if p[0] == sport {
				pairs = append(pairs, p, p, p)
			}
		case "track_and_field":
			if sport == "" {
				pairs = append(pairs, p)
			}
		default:
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// perform makes the capture one of the pair, with its dimensions.
func (l lab) perform(c *capture.Capture, pair [2]string) {
	activity, movement := pair[0], pair[1]
	if c.Source == capture.SourceImport && l.chance(200) {
		activity = strings.ToUpper(activity[:1]) + activity[1:] // older tools wrote labels so
	}
	c.Activity, c.Movement, c.Dimensions = &activity, &movement, map[string]string{}
	for _, name := range capture.Dimensions(activity, movement) {
		if !l.chance(15) {
			c.Dimensions[name] = one(l, values[name]...)
		}
	}
}

// age gives the captures the states that they would be in: the newest are not
// through yet, a few went wrong, and a few have lost their time.
func (l lab) age(all []capture.Capture) {
	newest := make([]*capture.Capture, len(all))
	for i := range all {
		newest[i] = &all[i]
	}
	slices.SortFunc(newest, func(a, b *capture.Capture) int {
		x, y := a.Key(), b.Key()
		return cmp.Or(cmp.Compare(x.Time, y.Time), cmp.Compare(x.SessionID, y.SessionID))
	})
	for i, c := range newest {
		switch {
		case i < 9:
			c.Status, c.FPSDetected = capture.AwaitingUpload, nil
		case i < 25:
			c.Status, c.FPSDetected = capture.Processing, nil
		case l.chance(18):
			reason := one(l, reasons...)
			c.Status, c.Error = capture.Error, &reason
			if l.chance(500) {
				c.FPSDetected = nil
			}
		case l.chance(6):
			c.CaptureTime = nil
		}
	}
}
