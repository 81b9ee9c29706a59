package sending

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// Athlete gives one athlete; fault.NotFound when there is none. The organization is that of the token.
func (s *Server) Athlete(ctx context.Context, _ organization.Scope, id string) (athlete.Athlete, error) {
	var found *client.Athlete
	err := s.steady(ctx, nil, func() (err error) {
		found, err = s.client.Athlete(ctx, id)
		return err
	})
	if err != nil {
		return athlete.Athlete{}, asFault(err)
	}
	return read(found)
}

// Athletes gives a page of athletes.
func (s *Server) Athletes(ctx context.Context, _ organization.Scope, q athlete.Query) (athlete.Page, error) {
	var page *client.AthletePage
	err := s.steady(ctx, nil, func() (err error) {
		page, err = s.client.ListAthletes(ctx, client.AthleteFilter{Search: q.Search, Limit: q.Limit,
			Offset: q.Offset})
		return err
	})
	if err != nil {
		return athlete.Page{}, asFault(err)
	}
	p := athlete.Page{TotalCount: page.TotalCount}
	for i := range page.Athletes {
		a, err := read(&page.Athletes[i])
		if err != nil {
			return athlete.Page{}, err
		}
		p.Athletes = append(p.Athletes, a)
	}
	return p, nil
}

// read reads what the server shows, which is what a line of a manifest has too.
func read(shown *client.Athlete) (athlete.Athlete, error) {
	wire, err := json.Marshal(shown)
	if err != nil {
		return athlete.Athlete{}, err
	}
	var fields map[string]any
	if err := json.Unmarshal(wire, &fields); err != nil {
		return athlete.Athlete{}, err
	}
	if shown.DateOfBirth != nil {
		fields["date_of_birth"] = shown.DateOfBirth.UTC().Format(time.DateOnly)
	}
	if wire, err = json.Marshal(fields); err != nil {
		return athlete.Athlete{}, err
	}
	line, err := payload.Parse(wire)
	if err != nil {
		return athlete.Athlete{}, err
	}
	return athlete.FromImport(line, time.Now())
}

// written are the fields of an athlete that a line gives, as they are sent.
func written(a athlete.Athlete) (f client.AthleteFields, err error) {
	var fields map[string]any
	if err := json.Unmarshal(athlete.AppendJSON(nil, a), &fields); err != nil {
		return f, err
	}
	for name, value := range fields {
		if value == nil || value == "" || name == "id" || name == "created_at" || name == "updated_at" {
			delete(fields, name)
		}
	}
	if a.DateOfBirth != nil {
		fields["date_of_birth"] = a.DateOfBirth.UTC().Format(time.DateOnly)
	}
	if len(a.Positions) == 0 {
		delete(fields, "positions")
	}
	wire, err := json.Marshal(fields)
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(wire, &f)
}

// Import takes the athletes of manifests. One who is there is found by id, by e-mail or by name, and what a line says
// otherwise is changed; others are made. What else a manifest may have, the interface does not take.
func (s *Server) Import(ctx context.Context, sc organization.Scope, records []manifest.Record, dry bool) (
	outcomes []manifest.Outcome, err error) {
	for _, r := range records {
		if r.Athlete == nil {
			outcomes = append(outcomes, manifest.Outcome{Effect: manifest.Refused, Err: fault.New(fault.BadRequest,
				"cannot be sent to a server: of a manifest only athletes can")})
			continue
		}
		effect, err := s.put(ctx, sc, *r.Athlete, dry)
		switch {
		case isFault(err):
			outcomes = append(outcomes, manifest.Outcome{Effect: manifest.Refused, Err: err})
		case err != nil:
			return nil, err
		default:
			outcomes = append(outcomes, manifest.Outcome{Effect: effect})
		}
	}
	return outcomes, nil
}

// put makes an athlete, or changes the one who is meant.
func (s *Server) put(ctx context.Context, sc organization.Scope, a athlete.Athlete, dry bool) (manifest.Effect, error) {
	there, err := s.same(ctx, sc, a)
	if err != nil {
		return manifest.Refused, err
	}
	fields, err := written(a)
	if err != nil {
		return manifest.Refused, err
	}
	if there == nil {
		if dry {
			return manifest.Created, asFault(s.wouldWrite(ctx, fields, nil))
		}
		err := s.once(ctx, "kinebase import athlete "+a.ID, func(key client.CallOption) error {
			_, err := s.client.CreateAthlete(ctx, fields, key)
			return err
		})
		return manifest.Created, asFault(err)
	}
	if says(*there, a) {
		return manifest.Unchanged, nil
	}
	if dry {
		return manifest.Updated, asFault(s.wouldWrite(ctx, fields, there))
	}
	return manifest.Updated, asFault(s.steady(ctx, nil, func() error {
		_, err := s.client.UpdateAthlete(ctx, there.ID, fields)
		return err
	}))
}

// says says whether an athlete has all that another one has.
func says(there, a athlete.Athlete) bool {
	for i := range athlete.Fields {
		f := &athlete.Fields[i]
		switch f.Name {
		case "id", "created_at", "updated_at":
		case "custom_attributes":
			for name, value := range a.CustomAttributes {
				if there.CustomAttributes[name] != value {
					return false
				}
			}
		default:
			var none athlete.Athlete
			if !f.Equal(&a, &none) && !f.Equal(&a, &there) {
				return false
			}
		}
	}
	return true
}

// same finds the athlete whom a line means: by id, by e-mail, or by name unless e-mail or date of birth are others.
func (s *Server) same(ctx context.Context, sc organization.Scope, a athlete.Athlete) (*athlete.Athlete, error) {
	there, err := s.Athlete(ctx, sc, a.ID)
	switch {
	case err == nil:
		return &there, nil
	case !fault.Is(err, fault.NotFound):
		return nil, err
	}
	search := a.Email
	if search == "" {
		search = a.FirstName
	}
	var same []athlete.Athlete
	const most = 500
	for offset := int64(0); ; offset += most {
		page, err := s.Athletes(ctx, sc, athlete.Query{Search: athlete.Fold(search), Limit: most, Offset: offset})
		if err != nil {
			return nil, err
		}
		for _, other := range page.Athletes {
			if alike(a, other) {
				same = append(same, other)
			}
		}
		if len(page.Athletes) < most {
			break
		}
	}
	switch len(same) {
	case 0:
		return nil, nil
	case 1:
		return &same[0], nil
	}
	return nil, fault.New(fault.BadRequest, "is not told apart: the server has %d athletes who may be meant, such as "+
		"%s and %s; give the line the id of the right one", len(same), same[0].ID, same[1].ID)
}

func alike(a, other athlete.Athlete) bool {
	if a.Email != "" {
		return athlete.Fold(a.Email) == athlete.Fold(other.Email)
	}
	name := func(a athlete.Athlete) string {
		return athlete.Fold(strings.Join(strings.Fields(a.FirstName+" "+a.LastName), " "))
	}
	return name(a) == name(other) &&
		(a.DateOfBirth == nil || other.DateOfBirth == nil || a.DateOfBirth.Equal(*other.DateOfBirth))
}
