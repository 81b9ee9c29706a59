package export

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// The columns that stand before the dimensions of a row, and behind them. Where a row is a
// capture, it stands at the first frame.
var (
	before = []string{"sessionid", "session_uuid", "session_seq", "athleteid", "athlete_name", "orgid", "activity",
		"movement"}
	behind = []string{"capture_datetime", "fps", "frame", "time"}
	extent = []string{"frame_count", "recording_duration"} // behind these, where a row is a capture
)

// seqPlace is where session_seq stands in before, the only one that is no text.
const seqPlace = 2

// reserved are the columns of a row that the recordings of captures may have columns called
// like: they do not know them, as they know those of rows of frames (frames.Reserved).
func (s Shape) reserved() []string {
	if s == RowPerCapture {
		return extent
	}
	return nil
}

// Leads says whether a name is that of a column that every row of captures begins with and
// rows of frames do not have.
func (s Shape) Leads(name string) bool { return slices.Contains(s.reserved(), name) }

// front gives the names of the columns before those of the captures, or of the fields of an athlete.
func front(columns Columns) []string {
	if columns.Shape == RowPerAthlete {
		return []string{"athleteid"}
	}
	return slices.Concat(before, columns.Dimensions, behind, columns.Shape.reserved())
}

// Header gives the names of the columns of a row, in their order.
func Header(columns Columns) []string {
	names := front(columns)
	for _, c := range columns.Own {
		names = append(names, c.Name)
	}
	return names
}

// TextColumns says of each column of a row whether it has texts, or times, but no numbers that
// a locale writes otherwise. session_seq, a whole number, is one of them.
func TextColumns(columns Columns) []bool {
	texts := make([]bool, len(front(columns))+len(columns.Own))
	for i := range min(len(before)+len(columns.Dimensions)+1, len(front(columns))) {
		texts[i] = true
	}
	for i, c := range columns.Own {
		texts[len(texts)-len(columns.Own)+i] = c.From.Kind == Text || c.From.Kind == Instant
	}
	return texts
}

// facts are what all rows of a part say.
type facts struct {
	texts    []*string // of before and of the dimensions; nil where missing, and for session_seq
	seq      *int64
	captured *time.Time
	fps      *float64
}

func factsOf(p *Part, org string, columns Columns) facts {
	if columns.Shape == RowPerAthlete {
		return facts{texts: []*string{&p.AthleteID}}
	}
	f := facts{captured: p.CaptureTime, fps: p.FPS}
	if p.Rate > 0 {
		f.fps = &p.Rate
	}
	known := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	var group *string
	if uuid, seq, ok := split(p.SessionID); ok {
		group, f.seq = &uuid, &seq
	}
	f.texts = append(make([]*string, 0, len(before)+len(columns.Dimensions)),
		&p.SessionID, group, nil, known(p.AthleteID), known(p.Athlete), &org, p.Activity, p.Movement)
	for _, d := range columns.Dimensions {
		var value *string
		if v, ok := p.Dimensions[d]; ok {
			value = &v
		}
		f.texts = append(f.texts, value)
	}
	return f
}

// split takes the id of a session apart that is a UUID and a number; others are not
// made of parts.
func split(sessionID string) (uuid string, seq int64, ok bool) {
	group, number, _ := strings.Cut(sessionID, "_")
	if uuid, ok = organization.ParseUUID(group); !ok {
		return "", 0, false
	}
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || strconv.FormatInt(seq, 10) != number || seq < 0 {
		return "", 0, false
	}
	return uuid, seq, true
}
