package httpapi

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/share"
)

// appendSharedCourse appends what a link shows of the progress of an athlete: who it is under an id of the link alone,
// and by name only where that is allowed.
func (a *api) appendSharedCourse(b []byte, c *call, s share.Share) ([]byte, error) {
	if s.Course == nil {
		return share.AppendCourse(b, nil, "", nil), nil
	}
	athlete := s.Course.Athlete.String()
	var name []byte
	if s.Names {
		who, err := a.Athletes.Athlete(c.r.Context(), c.scope(), athlete)
		if err != nil {
			return nil, gone(err)
		}
		name = payload.AppendString([]byte(`,"athlete_name":`), strings.TrimSpace(who.FirstName+" "+who.LastName))
	}
	return share.AppendCourse(b, s.Course, s.Alias(athlete), name), nil
}

// sharedPage is what a visitor reads of an athlete's progress. Only what has a field here reaches the visitor.
type sharedPage struct {
	Captures   []sharedRow `json:"captures"`
	TotalCount int64       `json:"total_count"`
	Offset     int64       `json:"offset"`
	Limit      int64       `json:"limit"`
	NextOffset *int64      `json:"next_offset"`
}

type sharedRow struct {
	SessionID   string                  `json:"session_id"`
	AthleteID   string                  `json:"athlete_id"`
	Activity    *string                 `json:"activity"`
	Movement    *string                 `json:"movement"`
	Status      string                  `json:"status"`
	Error       *string                 `json:"error"`
	CaptureTime *string                 `json:"capture_time"`
	FPSDetected jsontext.Value          `json:"fps_detected"`
	Library     *string                 `json:"library"`
	Metrics     map[string]sharedMetric `json:"metrics"`
}

type sharedMetric struct {
	Value    jsontext.Value `json:"value"`
	Text     *string        `json:"text"`
	Unit     string         `json:"unit"`
	Source   string         `json:"source"`
	Method   *string        `json:"method"`
	Version  *int           `json:"version"`
	Withheld *string        `json:"withheld"`
	Message  *string        `json:"message"`
}

// getSharedMetrics answers with the one metric that a link shows, of the captures that its athlete has of the movement
// now. What else is asked for, such as another metric, counts for nothing.
func (a *api) getSharedMetrics(c *call) error {
	s, err := a.visit(c)
	if err != nil {
		return err
	}
	if s.Course == nil || c.path[0] != share.TheAthlete {
		return errNothingShared()
	}
	page, err := readPage(c.r.URL.RawQuery, defaultLimit, nil)
	if err != nil {
		return err
	}
	athlete := s.Course.Athlete.String()
	raw, err := a.Captures.Progress(c.r.Context(), c.scope(), capture.ProgressQuery{AthleteID: athlete,
		Activity: capture.Fold(s.Course.Activity), Movement: capture.Fold(s.Course.Movement),
		Metrics: []string{s.Course.Metric}, Limit: page.limit, Offset: page.offset})
	if err != nil {
		return gone(err)
	}
	var shown sharedPage
	if err := json.Unmarshal(raw, &shown); err != nil {
		return err
	}
	for i := range shown.Captures {
		one := &shown.Captures[i]
		one.SessionID = strconv.FormatInt(shown.Offset+int64(i)+1, 10)
		one.AthleteID = s.Alias(athlete)
		if s.Names {
			continue
		}
		one.Error = nil // it may quote the file
		for name, m := range one.Metrics {
			m.Message = nil // it may name a subject
			one.Metrics[name] = m
		}
	}
	body, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	c.sendTagged(tagOf("shared", string(body)), body)
	return nil
}

// getSharedMovements gives the library, which is the program's and the same for everybody: without it a visitor sees
// numbers without their definitions.
func (a *api) getSharedMovements(c *call) error {
	if _, err := a.visit(c); err != nil {
		return err
	}
	return a.listMovements(c)
}
