package httpapi

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
)

// Landmarks keeps how organizations call the points of their markers.
type Landmarks interface {
	// Landmarks gives the names; nil where the organization has none of its own.
	Landmarks(ctx context.Context, s organization.Scope) (*movement.MarkerSet, error)
	// SetLandmarks puts others in their place, when allow lets it, which is given the names before.
	SetLandmarks(ctx context.Context, s organization.Scope, own movement.MarkerSet, allow func(*movement.MarkerSet) error) error
}

// ownNames is what is told of them.
type ownNames struct {
	Version   string              `json:"version"`
	Centres   bool                `json:"centres"`
	Landmarks []movement.Landmark `json:"landmarks"`
}

// tellNames gives the answer and its tag.
func tellNames(own *movement.MarkerSet) (body []byte, tag string, err error) {
	answer := ownNames{Landmarks: []movement.Landmark{}}
	if own != nil && len(own.Landmarks) > 0 {
		answer = ownNames{own.Version(), own.Centres, own.Landmarks}
	}
	body, err = json.Marshal(answer)
	return body, tagOf("landmarks", string(body)), err
}

func (a *api) getLandmarks(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	own, err := a.Landmarks.Landmarks(c.r.Context(), c.scope())
	if err != nil {
		return err
	}
	body, tag, err := tellNames(own)
	if err != nil {
		return err
	}
	c.sendTagged(tag, body)
	return nil
}

func (a *api) putLandmarks(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	o, err := c.object(nil)
	if err != nil {
		return err
	}
	own, err := movement.ReadOwn(o)
	if err != nil {
		return err
	}
	err = a.Landmarks.SetLandmarks(c.r.Context(), c.scope(), own, func(before *movement.MarkerSet) error {
		_, tag, err := tellNames(before)
		if err == nil && !c.precondition(tag) {
			err = fault.New(fault.PreconditionFailed, "The landmarks have changed since they were read; read them again.")
		}
		return err
	})
	if err != nil {
		return err
	}
	body, tag, err := tellNames(&own)
	if err != nil {
		return err
	}
	c.w.Header()["Cache-Control"] = revalidate
	c.set("Etag", `"`+tag+`"`)
	c.send(http.StatusOK, body)
	return nil
}
