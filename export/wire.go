package export

import (
	"math"
	"strconv"

	"github.com/kinebase/kinebase/payload"
)

// AppendJSON appends the job object of the interface, section 2.3.
func AppendJSON(b []byte, j Job) []byte {
	b = payload.AppendString(append(b, `{"jobId":`...), j.ID)
	b = payload.AppendString(append(b, `,"status":`...), string(j.Status))
	if j.ErrorMessage != "" {
		b = payload.AppendString(append(b, `,"errorMessage":`...), j.ErrorMessage)
	}
	b = payload.AppendTime(append(b, `,"createdAt":`...), &j.CreatedAt)
	if j.CompletedAt != nil {
		b = payload.AppendTime(append(b, `,"completedAt":`...), j.CompletedAt)
	}
	// An unfinished export must not look finished.
	progress := math.Floor(1e4*min(max(j.Progress, 0), 1)) / 1e4
	b = strconv.AppendFloat(append(b, `,"progress":`...), progress, 'f', -1, 64)
	if j.RowCount != nil {
		b = strconv.AppendInt(append(b, `,"rowCount":`...), *j.RowCount, 10)
	}
	for i, skip := range j.Skipped {
		lead := `,{"captureId":`
		if i == 0 {
			lead = `,"skipped":[{"captureId":`
		}
		b = payload.AppendString(append(b, lead...), skip.SessionID)
		b = payload.AppendString(append(b, `,"reason":`...), skip.Reason)
		if skip.FileName != "" {
			b = payload.AppendString(append(b, `,"fileName":`...), skip.FileName)
		}
		b = append(b, '}')
	}
	if len(j.Skipped) > 0 {
		b = strconv.AppendInt(append(b, `],"skippedCount":`...), j.LeftOut, 10)
		b = appendReasons(b, j.Reasons)
	}
	return append(b, '}')
}

func appendReasons(b []byte, reasons []Reason) []byte {
	b = append(b, `,"skippedReasons":[`...)
	for i, reason := range reasons {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(append(b, `{"reason":`...), reason.Text)
		b = append(strconv.AppendInt(append(b, `,"count":`...), reason.Captures, 10), '}')
	}
	return append(b, ']')
}
