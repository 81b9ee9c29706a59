package upload

import (
	"math"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/payload"
)

// AppendProcessing appends how far the processing of the file is, as it is at now.
func (s *Stored) AppendProcessing(b []byte, now time.Time) []byte {
	b = payload.AppendString(append(b, `{"session_id":`...), s.Capture.SessionID)
	b = payload.AppendString(append(b, `,"status":`...), string(s.Capture.Status))
	p := s.Processing
	if s.Capture.Status != capture.Processing || p.Begun.IsZero() {
		return append(b, `,"begun_at":null,"done":null,"seconds_left":null}`...)
	}
	b = append(payload.AppendTime(append(b, `,"begun_at":`...), &p.Begun), `,"done":`...)
	if p.Told.IsZero() {
		b = append(b, `null`...)
	} else { // what is not at its end must not look so
		b = strconv.AppendFloat(b, math.Floor(1e4*p.Done)/1e4, 'f', -1, 64)
	}
	b = append(b, `,"seconds_left":`...)
	left, ok := p.Left(now)
	if !ok {
		return append(b, `null}`...)
	}
	return append(strconv.AppendInt(b, int64(math.Ceil(left.Seconds())), 10), '}')
}
