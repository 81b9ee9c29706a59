package sending

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/upload"
)

// A dry run changes nothing on the server. It applies the server's own rules here to find what the server would refuse.
// It finds missing scopes by calls with an empty body: the server checks the scope before the body, and refuses each of
// these calls.

// wouldTake says why a file would be refused, or why the import would end at it. What only the server knows, such as
// how much room there is, is not known.
func (s *Server) wouldTake(ctx context.Context, f intake.Found) error {
	n := asked(f)
	attributes := map[string]any{}
	for name, value := range n.Dimensions {
		attributes[name] = value
	}
	body := map[string]any{"file_name": n.FileName, "session_group_id": n.GroupID, "movement_attributes": attributes}
	if n.Activity != "" {
		attributes["activity"] = n.Activity
	}
	if n.Movement != "" {
		attributes["movement"] = n.Movement
	}
	if n.Camera != nil {
		body["camera_configuration"] = n.Camera
	}
	o, err := parsed(body)
	if err == nil {
		_, err = upload.New(o, time.Now(), time.Hour)
	}
	if err != nil {
		return err
	}
	return s.may(ctx, &s.mayReserve, func() error {
		_, err := s.client.Reserve(ctx, client.NewCapture{})
		return err
	})
}

// wouldWrite says why an athlete would be refused, or why the import would end there. there is the one who would be
// changed; nil for a new one.
func (s *Server) wouldWrite(ctx context.Context, fields client.AthleteFields, there *athlete.Athlete) error {
	o, err := parsed(fields)
	if err != nil {
		return err
	}
	if there == nil {
		_, err = athlete.New(o, time.Now())
	} else {
		var change func(athlete.Athlete) (athlete.Athlete, error)
		if change, err = athlete.Change(o, time.Now()); err == nil {
			_, err = change(*there)
		}
	}
	if err != nil {
		return err
	}
	return s.may(ctx, &s.mayWrite, func() error {
		_, err := s.client.CreateAthlete(ctx, client.AthleteFields{})
		return err
	})
}

// parsed is what is sent, as the server reads it.
func parsed(said any) (payload.Object, error) {
	wire, err := json.Marshal(said)
	if err != nil {
		return payload.Object{}, err
	}
	return payload.Parse(wire)
}

// may makes a call that says too little to be done, once for all: 400 is the answer to who may make it.
func (s *Server) may(ctx context.Context, asked *answered, empty func() error) error {
	asked.Lock()
	defer asked.Unlock()
	if asked.yes {
		return nil
	}
	err := s.steady(ctx, nil, empty)
	if asked.yes = statusOf(err) == http.StatusBadRequest; asked.yes {
		return nil
	}
	return err
}
