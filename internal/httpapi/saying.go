package httpapi

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// saying is what an organization says once for all its recordings: it is read as a whole, and another one is put
// in its place.
type saying[T any] struct {
	name  string // in tags and sentences
	parse func(payload.Object) (T, error)
	told  func(*T) any // what is answered; nil stands for nothing that was said
	get   func(context.Context, *api, organization.Scope) (*T, error)
	set   func(context.Context, *api, organization.Scope, T, func(*T) error) error
}

// answer gives the body and its tag.
func (s saying[T]) answer(said *T) (body []byte, tag string, err error) {
	body, err = json.Marshal(s.told(said))
	return body, tagOf(s.name, string(body)), err
}

// read answers with what is said.
func (s saying[T]) read(a *api, c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	said, err := s.get(c.r.Context(), a, c.scope())
	if err != nil {
		return err
	}
	body, tag, err := s.answer(said)
	if err != nil {
		return err
	}
	c.sendTagged(tag, body)
	return nil
}

// put says something else, unless it has changed since the caller read it.
func (s saying[T]) put(a *api, c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	o, err := c.object(nil)
	if err != nil {
		return err
	}
	said, err := s.parse(o)
	if err != nil {
		return err
	}
	err = s.set(c.r.Context(), a, c.scope(), said, func(before *T) error {
		_, tag, err := s.answer(before)
		if err == nil && !c.precondition(tag) {
			err = fault.New(fault.PreconditionFailed, "The %s have changed since they were read; read them again.",
				s.name)
		}
		return err
	})
	if err != nil {
		return err
	}
	body, tag, err := s.answer(&said)
	if err != nil {
		return err
	}
	c.w.Header()["Cache-Control"] = revalidate
	c.set("Etag", `"`+tag+`"`)
	c.send(http.StatusOK, body)
	return nil
}
