package httpapi

import (
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func (a *api) correctCapture(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	body, err := c.object(nil)
	if err != nil {
		return err
	}
	change, err := capture.Change(body, c.start)
	if err != nil {
		return err
	}
	return a.changeCapture(c, id, nil, change)
}

func (a *api) linkAthletes(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	athletes, err := capture.ReadLinks(body)
	if err != nil {
		return err
	}
	return a.changeCapture(c, id, repeat, capture.Link(athletes))
}

func (a *api) reprocessCapture(c *call) error {
	return withoutFields(a, c, c.captureID, func(id string, repeat *organization.Repeat) error {
		changed, err := a.Captures.Reprocess(c.r.Context(), c.scope(), id, keepCapture(repeat))
		return a.answerChanged(c, changed, repeat, err)
	})
}

// keepCapture has the answer about a changed capture kept for a repetition.
func keepCapture(repeat *organization.Repeat) *organization.Once[capture.Answer] {
	return keep(repeat, func(changed capture.Answer) ([]byte, error) {
		return keptAnswer(changed.Tag, "", changed.Body), nil
	})
}

// changeCapture carries a change out and answers with the capture as it then is.
func (a *api) changeCapture(c *call, id string, repeat *organization.Repeat,
	change func(capture.Capture) (capture.Capture, error)) error {
	changed, err := a.Captures.ChangeCapture(c.r.Context(), c.scope(), id, keepCapture(repeat),
		func(old capture.Capture, tag string) (capture.Capture, error) {
			if err := c.untouched(tag); err != nil {
				return capture.Capture{}, err
			}
			return change(old)
		})
	return a.answerChanged(c, changed, repeat, err)
}

// answerChanged answers with a capture that was changed, now or by the first of several
// requests with one key.
func (a *api) answerChanged(c *call, changed capture.Answer, repeat *organization.Repeat, err error) error {
	switch {
	case err != nil:
		return unknown(err, "capture")
	case repeat.Replayed():
		return c.replay(repeat.Replay)
	}
	c.sendWritten(changed.Tag, "", changed.Body)
	return nil
}

func (a *api) unlinkAthlete(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	if err := plainID("athleteId", c.path[1]); err != nil {
		return err
	}
	// A text that cannot be an id is linked to nothing.
	athlete, _ := organization.ParseUUID(c.path[1])
	linked := true
	_, err = a.Captures.ChangeCapture(c.r.Context(), c.scope(), id,
		nil, func(old capture.Capture, tag string) (next capture.Capture, err error) {
			if next, linked = capture.Unlink(old, athlete); !linked {
				return next, fault.New(fault.NotFound, "The capture is not linked to such an athlete.")
			}
			return next, c.untouched(tag)
		})
	switch {
	case !linked:
		return err
	case err != nil:
		return unknown(err, "capture")
	}
	c.send(200, []byte(`{"message":"The athlete is no longer linked to the capture."}`))
	return nil
}

func (a *api) deleteCapture(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	if err := a.Captures.DeleteCapture(c.r.Context(), c.scope(), id, c.untouched); err != nil {
		return unknown(err, "capture")
	}
	c.send(200, []byte(`{"message":"The capture and its files were deleted."}`))
	return nil
}

// untouched holds the tag of a capture against If-Match.
func (c *call) untouched(tag string) error {
	if c.precondition(tag) {
		return nil
	}
	return fault.New(fault.PreconditionFailed, "The capture has changed since it was read; read it again.")
}
