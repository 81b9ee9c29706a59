package share

import (
	"strconv"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// AppendJSON appends a share, with its secret where it is to be shown.
func AppendJSON(b []byte, s *Share, secret organization.Secret) []byte {
	b = payload.AppendString(append(b, `{"id":`...), s.ID.String())
	b = payload.AppendString(append(b, `,"name":`...), s.Name)
	b = payload.AppendString(append(b, `,"kind":`...), string(s.Kind))
	b = append(b, `,"captures":[`...)
	for i, id := range s.Captures {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, id)
	}
	athlete := ""
	if s.Course != nil {
		athlete = s.Course.Athlete.String()
	}
	b = AppendCourse(append(b, `],"progress":`...), s.Course, athlete, nil)
	b = payload.AppendString(append(b, `,"view":`...), s.View)
	b = strconv.AppendBool(append(b, `,"names":`...), s.Names)
	b = payload.AppendTime(append(b, `,"created_at":`...), &s.CreatedAt)
	b = payload.AppendTime(append(b, `,"expires_at":`...), &s.ExpiresAt)
	b = strconv.AppendInt(append(b, `,"uses":`...), s.Uses, 10)
	b = payload.AppendTime(append(b, `,"last_used_at":`...), s.UsedAt)
	if secret != "" {
		b = payload.AppendString(append(b, `,"secret":`...), string(secret))
	}
	return append(b, '}')
}
