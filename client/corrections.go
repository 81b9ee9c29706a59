package client

import (
	"context"
	"net/http"
	"time"
)

// Correction says what of a capture is wrong. What is nil stays as it is.
type Correction struct {
	Activity    *string
	Movement    *string
	CaptureTime *time.Time
	FPS         *float64          // frames a second, in place of the rate that the file states
	Dimensions  map[string]string // of the movement, such as handedness
	Clear       []string          // what is not known after all: activity, movement, capture_time, or a dimension
}

// Correct corrects a capture and gives it as it is then.
func (c *Client) Correct(ctx context.Context, id string, n Correction, options ...CallOption) (*Capture, error) {
	body := map[string]any{}
	for name, value := range n.Dimensions {
		body[name] = value
	}
	if n.Activity != nil {
		body["activity"] = *n.Activity
	}
	if n.Movement != nil {
		body["movement"] = *n.Movement
	}
	if n.CaptureTime != nil {
		body["capture_time"] = n.CaptureTime.UTC().Format(timeFormat)
	}
	if n.FPS != nil {
		body["fps"] = *n.FPS
	}
	for _, name := range n.Clear {
		body[name] = nil
	}
	return c.writeCapture(ctx, &call{method: http.MethodPatch, path: "/captures/" + segment(id), body: encode(body)},
		options)
}

// Link links athletes to a capture, 16 at most in all, and gives it as it is then.
func (c *Client) Link(ctx context.Context, id string, athletes []string, options ...CallOption) (*Capture, error) {
	body := encode(map[string]any{"athlete_ids": athletes})
	return c.writeCapture(ctx, &call{method: http.MethodPost, path: "/captures/" + segment(id) + "/athletes",
		body: body}, options)
}

// LinkedAthlete is an athlete of a capture.
type LinkedAthlete struct {
	ID        string  `json:"id"`
	FirstName string  `json:"first_name"`
	LastName  *string `json:"last_name"`
}

// Linked gives the athletes of a capture in the order of linking. It asks for the
// scope athletes:read.
func (c *Client) Linked(ctx context.Context, id string, options ...CallOption) ([]LinkedAthlete, error) {
	var answer struct{ Athletes []LinkedAthlete }
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/athletes"}, &answer,
		options...); err != nil {
		return nil, err
	}
	return answer.Athletes, nil
}

func (c *Client) writeCapture(ctx context.Context, call *call, options []CallOption) (*Capture, error) {
	var capture Capture
	if err := c.do(ctx, call, &capture, options...); err != nil {
		return nil, err
	}
	return &capture, nil
}

// Unlink takes the link between a capture and an athlete away, and gives the
// server's confirmation.
func (c *Client) Unlink(ctx context.Context, id, athlete string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/captures/"+segment(id)+"/athletes/"+segment(athlete), options)
}

// Reprocess has the server read a capture's file once more. A capture without a file,
// or whose file is being read, is an *Error with the status 409.
func (c *Client) Reprocess(ctx context.Context, id string, options ...CallOption) (*Capture, error) {
	return c.writeCapture(ctx, &call{method: http.MethodPost, path: "/captures/" + segment(id) + "/reprocess",
		body: encode(struct{}{})}, options)
}

// CaptureProcessing is how far a server is with the file of a capture.
type CaptureProcessing struct {
	SessionID   string     `json:"session_id"`
	Status      string     `json:"status"`       // that of the capture
	BegunAt     *time.Time `json:"begun_at"`     // nil while no server is at it
	Done        *float64   `json:"done"`         // the part that is done, from 0 to 1; nil where it is not known
	SecondsLeft *int64     `json:"seconds_left"` // how long the rest is expected to take; nil where it is not known
}

// Processing says how far the processing of a capture's file is.
func (c *Client) Processing(ctx context.Context, id string, options ...CallOption) (*CaptureProcessing, error) {
	var answer struct{ Processing CaptureProcessing }
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/processing"}, &answer,
		options...); err != nil {
		return nil, err
	}
	return &answer.Processing, nil
}

// DeleteCapture deletes a capture with its file, and gives the server's
// confirmation.
func (c *Client) DeleteCapture(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/captures/"+segment(id), options)
}
