package mcp

import (
	"context"

	"github.com/kinebase/kinebase/client"
)

type exportAsked struct {
	Captures []string `json:"captures,omitempty" jsonschema:"ids; all captures without it"`
	Athletes []string `json:"athletes,omitempty" jsonschema:"ids; all athletes, and captures of nobody, without it"`
	Activity string   `json:"activity,omitempty"`
	Movement string   `json:"movement,omitempty"`
	From     string   `json:"from,omitempty" jsonschema:"only captures of this time or later: 2026-05-01 or 2026-05-01T08:00:00Z"`
	To       string   `json:"to,omitempty" jsonschema:"only captures before this time"`
	Shape    string   `json:"shape,omitempty" jsonschema:"what a row is: frames (without it); captures: a whole capture with its metrics; metrics: a metric of a capture; or athletes: an athlete, chosen by athletes alone"`
	Metrics  []string `json:"metrics,omitempty" jsonschema:"columns to keep; all without it"`
}

func (a exportAsked) export() (client.NewExport, error) {
	from, to, err := within(a.From, a.To)
	return client.NewExport{Captures: a.Captures, Athletes: a.Athletes, Activity: a.Activity, Movement: a.Movement,
		From: from, To: to, Shape: a.Shape, Metrics: a.Metrics}, err
}

func (t *tools) estimateExport(ctx context.Context, ask exportAsked) (client.ExportEstimate, error) {
	n, err := ask.export()
	if err != nil {
		return client.ExportEstimate{}, err
	}
	e, err := t.server.EstimateExport(ctx, n)
	if err != nil {
		return client.ExportEstimate{}, err
	}
	return *e, nil
}

type exportRead struct {
	JobID    string   `json:"job_id"`
	Status   string   `json:"status" jsonschema:"RUNNING, COMPLETED, FAILED or CANCELED"`
	Error    string   `json:"error,omitempty"`
	Progress *float64 `json:"progress,omitempty" jsonschema:"0 to 1"`
	Rows     *int64   `json:"rows,omitempty"`
	LeftOut  int64    `json:"left_out,omitempty" jsonschema:"captures that are not in the result"`
	Reasons  []string `json:"reasons,omitempty" jsonschema:"why captures were left out"`
	Download string   `json:"download" jsonschema:"the command that waits for the result and downloads it"`
}

func (t *tools) startExport(ctx context.Context, ask exportAsked) (exportRead, error) {
	n, err := ask.export()
	if err != nil {
		return exportRead{}, err
	}
	job, err := t.server.CreateExport(ctx, n)
	if err != nil {
		return exportRead{}, err
	}
	return exportOf(job), nil
}

type exportStatusAsked struct {
	JobID string `json:"job_id" jsonschema:"of start_export"`
}

func (t *tools) exportStatus(ctx context.Context, ask exportStatusAsked) (exportRead, error) {
	job, err := t.server.ExportJob(ctx, ask.JobID)
	if err != nil {
		return exportRead{}, err
	}
	return exportOf(job), nil
}

func exportOf(job *client.ExportJob) exportRead {
	read := exportRead{
		JobID: job.ID, Status: job.Status, Error: text(job.ErrorMessage), Progress: job.Progress, Rows: job.RowCount,
		LeftOut:  job.SkippedCount,
		Download: "kinebase export --job " + job.ID + " -o export.csv",
	}
	for _, r := range job.SkippedReasons {
		read.Reasons = append(read.Reasons, r.Reason)
	}
	return read
}
