package httpapi

import (
	"errors"
	"strconv"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/share"
)

// getSharedSkeletons answers with the sets of bones by which the recordings of a link are drawn, and with no point
// that none of them has. Other sets may name people of whom the visitor must not hear.
func (a *api) getSharedSkeletons(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	s, err := a.visit(c)
	if err != nil {
		return err
	}
	sets, err := a.Skeletons.Skeletons(c.r.Context(), c.scope())
	if err != nil {
		return err
	}
	if sets != nil && len(sets.Skeletons) > 0 {
		subjects, err := a.sharedSubjects(c, s)
		if err != nil {
			return err
		}
		drawn := sets.Drawn(subjects)
		if !s.Names {
			for i := range drawn.Skeletons {
				drawn.Skeletons[i].Name = strconv.Itoa(i + 1)
			}
		}
		sets = &drawn
	}
	body, _, err := skeletons.answer(sets)
	if err != nil {
		return err
	}
	c.sendTagged(tagOf("shared", string(body)), body)
	return nil
}

// sharedSubjects gives the points of each subject in the recordings that a visitor can see, by the names that he
// sees there.
func (a *api) sharedSubjects(c *call, s share.Share) (all [][]string, err error) {
	for _, id := range s.Captures {
		stored, err := a.Uploads.Stored(c.r.Context(), c.scope(), id)
		if err != nil {
			return nil, gone(err)
		}
		info, err := storedInfo(stored)
		if err == nil && !s.Names {
			err = nameless(&info)
		}
		switch {
		case errors.Is(err, errNamed) || fault.Is(err, fault.Conflict): // nothing is shown of the recording
		case err != nil:
			return nil, err
		default:
			all = append(all, info.PointsOfSubjects()...)
		}
	}
	return all, nil
}
