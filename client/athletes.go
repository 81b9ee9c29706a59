package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// Athlete is a person with every field; what is not set is nil or empty.
type Athlete struct {
	ID               string            `json:"id"`
	FirstName        string            `json:"first_name"`
	LastName         *string           `json:"last_name"`
	DateOfBirth      *time.Time        `json:"date_of_birth"` // midnight UTC
	Email            *string           `json:"email"`
	Phone            *string           `json:"phone"`
	Gender           *string           `json:"gender"`
	DominantArm      *string           `json:"dominant_arm"`
	DominantLeg      *string           `json:"dominant_leg"`
	Activity         *string           `json:"activity"`
	Positions        []string          `json:"positions"`
	CompetitionLevel *string           `json:"competition_level"`
	Height           *int              `json:"height"` // inches
	Weight           *int              `json:"weight"` // pounds
	CustomAttributes map[string]string `json:"custom_attributes"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
}

// WrittenAthlete is what creating and updating answer: ten of the fields.
type WrittenAthlete struct {
	ID               string            `json:"id"`
	FirstName        string            `json:"first_name"`
	LastName         *string           `json:"last_name"`
	DateOfBirth      *time.Time        `json:"date_of_birth"` // midnight UTC
	Email            *string           `json:"email"`
	Height           *int              `json:"height"` // inches
	Weight           *int              `json:"weight"` // pounds
	CustomAttributes map[string]string `json:"custom_attributes"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
}

// AthleteFields are the fields to create an athlete with or to change; nil leaves
// a field out. In an update "", 0 and an empty list clear it, and an empty value
// deletes a custom attribute while those that are not named stay.
type AthleteFields struct {
	FirstName   *string `json:"first_name,omitempty"` // required to create, never empty
	LastName    *string `json:"last_name,omitempty"`
	DateOfBirth *string `json:"date_of_birth,omitempty"` // YYYY-MM-DD
	Email       *string `json:"email,omitempty"`
	Phone       *string `json:"phone,omitempty"`
	Gender      *string `json:"gender,omitempty"`       // male, female, other
	DominantArm *string `json:"dominant_arm,omitempty"` // left, right, both
	DominantLeg *string `json:"dominant_leg,omitempty"` // left, right, both
	// baseball, softball, tennis, basketball, golf
	Activity         *string           `json:"activity,omitempty"`
	Positions        *[]string         `json:"positions,omitempty"`         // of the activity
	CompetitionLevel *string           `json:"competition_level,omitempty"` // youth, high_school, college, professional
	Height           *int              `json:"height,omitempty"`            // inches, 1..120
	Weight           *int              `json:"weight,omitempty"`            // pounds, 1..1500
	CustomAttributes map[string]string `json:"custom_attributes,omitempty"`
}

// AthleteFilter says which athletes to list; empty fields do not filter.
type AthleteFilter struct {
	Search     string            // part of a name or an e-mail address
	Attributes map[string]string // custom attributes, all of which must match exactly
	// first_name, last_name, date_of_birth or created_at; "" for last name, then first name
	SortedBy string
	Limit    int // athletes a page, 1..500; 0 for the default
	Offset   int64
}

// AthletePage is one page of athletes.
type AthletePage struct {
	Athletes   []Athlete `json:"athletes"`
	TotalCount int64     `json:"total_count"` // over all pages
	Offset     int64     `json:"offset"`
	Limit      int       `json:"limit"`
	NextOffset *int64    `json:"next_offset"` // where the next page begins; nil at the end
}

// ListAthletes gives one page.
func (c *Client) ListAthletes(ctx context.Context, f AthleteFilter, options ...CallOption) (*AthletePage, error) {
	q := url.Values{}
	for name, value := range f.Attributes {
		q.Set(name, value)
	}
	set(q, "q", f.Search)
	set(q, "sorted_by", f.SortedBy)
	paging(q, f.Limit, f.Offset)
	var page AthletePage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/athletes", query: q}, &page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// Athletes goes through all athletes from f.Offset on, f.Limit at a time (500
// when it is 0). An error ends it. Athletes that come or go meanwhile shift the
// pages: one may then be given twice or not at all.
func (c *Client) Athletes(ctx context.Context, f AthleteFilter) iter.Seq2[Athlete, error] {
	return pages(f.Limit, f.Offset, func(limit int, offset int64) ([]Athlete, *int64, error) {
		f.Limit, f.Offset = limit, offset
		page, err := c.ListAthletes(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		return page.Athletes, page.NextOffset, nil
	})
}

// Athlete reads one athlete.
func (c *Client) Athlete(ctx context.Context, id string, options ...CallOption) (*Athlete, error) {
	var answer struct{ Athlete Athlete }
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/athletes/" + segment(id)}, &answer, options...); err !=
		nil {
		return nil, err
	}
	return &answer.Athlete, nil
}

// CreateAthlete makes an athlete; only the first name is needed.
func (c *Client) CreateAthlete(ctx context.Context, fields AthleteFields, options ...CallOption) (*WrittenAthlete,
	error) {
	return c.writeAthlete(ctx, "/athletes", fields, options)
}

// UpdateAthlete changes the fields that are given.
func (c *Client) UpdateAthlete(ctx context.Context, id string, fields AthleteFields,
	options ...CallOption) (*WrittenAthlete, error) {
	return c.writeAthlete(ctx, "/athletes/"+segment(id), fields, options)
}

func (c *Client) writeAthlete(ctx context.Context, path string, fields AthleteFields,
	options []CallOption) (*WrittenAthlete, error) {
	var answer struct{ Athlete WrittenAthlete }
	if err := c.do(ctx, &call{method: http.MethodPost, path: path, body: encode(fields)}, &answer, options...); err !=
		nil {
		return nil, err
	}
	return &answer.Athlete, nil
}

// MergeAthletes makes one athlete of two who are one person: captures, metrics and rows of exports of from
// become those of id, what is unset there is taken over, and from is erased.
func (c *Client) MergeAthletes(ctx context.Context, id, from string, options ...CallOption) (*Athlete, error) {
	var answer struct{ Athlete Athlete }
	body := encode(map[string]string{"from": from})
	if err := c.do(ctx, &call{method: http.MethodPost, path: "/athletes/" + segment(id) + "/merge", body: body},
		&answer, options...); err != nil {
		return nil, err
	}
	return &answer.Athlete, nil
}

// DeleteAthlete deletes the athlete and all associated data, and gives the
// server's confirmation.
func (c *Client) DeleteAthlete(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/athletes/"+segment(id), options)
}

func (c *Client) delete(ctx context.Context, path string, options []CallOption) (string, error) {
	var answer struct{ Message string }
	err := c.do(ctx, &call{method: http.MethodDelete, path: path}, &answer, options...)
	return answer.Message, err
}
