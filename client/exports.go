package client

import (
	"context"
	"net/http"
	"time"
)

// The states of an export job. All but JobRunning are final.
const (
	JobRunning   = "RUNNING"
	JobCompleted = "COMPLETED"
	JobFailed    = "FAILED"
	JobCanceled  = "CANCELED"
)

// ExportJob is an asynchronous export.
type ExportJob struct {
	ID           string           `json:"jobId"`
	Status       string           `json:"status"`
	ErrorMessage *string          `json:"errorMessage,omitempty"` // exactly when it failed
	CreatedAt    time.Time        `json:"createdAt"`
	CompletedAt  *time.Time       `json:"completedAt,omitempty"` // in every final state
	Progress     *float64         `json:"progress,omitempty"`    // 0..1
	RowCount     *int64           `json:"rowCount,omitempty"`
	Skipped      []SkippedCapture `json:"skipped,omitempty"`
}

// SkippedCapture is a capture that an export left out, and why.
type SkippedCapture struct {
	CaptureID string `json:"captureId"`
	Reason    string `json:"reason"`
}

// ExportJob reads how far a job is.
func (c *Client) ExportJob(ctx context.Context, id string, options ...CallOption) (*ExportJob, error) {
	var job ExportJob
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/data/export/job/" + segment(id)}, &job, options...); err != nil {
		return nil, err
	}
	return &job, nil
}
