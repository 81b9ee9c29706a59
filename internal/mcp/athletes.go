package mcp

import (
	"context"
	"strings"

	"github.com/kinebase/kinebase/client"
)

type athletesAsked struct {
	Name  string `json:"name,omitempty" jsonschema:"part of a first or last name, of both, or of an e-mail address; all athletes without it"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many to give, 1 to 100; 20 without it"`
}

type athletesFound struct {
	Athletes []athleteFound `json:"athletes"`
	Total    int64          `json:"total" jsonschema:"how many there are; more than are given when it is greater"`
}

type athleteFound struct {
	ID          string `json:"id" jsonschema:"what other tools call athlete_id"`
	Name        string `json:"name"`
	DateOfBirth string `json:"date_of_birth,omitempty"`
	Activity    string `json:"activity,omitempty"`
}

func (t *tools) findAthletes(ctx context.Context, ask athletesAsked) (athletesFound, error) {
	page, err := t.server.ListAthletes(ctx, client.AthleteFilter{Search: ask.Name, Limit: atMost(ask.Limit, 20, 100)})
	if err != nil {
		return athletesFound{}, err
	}
	found := athletesFound{Athletes: []athleteFound{}, Total: page.TotalCount}
	for _, a := range page.Athletes {
		one := athleteFound{ID: a.ID, Name: strings.TrimSpace(a.FirstName + " " + text(a.LastName)),
			Activity: text(a.Activity)}
		if a.DateOfBirth != nil {
			one.DateOfBirth = a.DateOfBirth.Format("2006-01-02")
		}
		found.Athletes = append(found.Athletes, one)
	}
	return found, nil
}

// text is what a text that may be missing says.
func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}
