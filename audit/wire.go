package audit

import (
	"strconv"

	"github.com/kinebase/kinebase/payload"
)

// AppendJSON appends an entry, as the interface and the stream show it.
func AppendJSON(b []byte, e *Entry) []byte {
	b = payload.AppendString(append(b, `{"id":`...), e.ID)
	b = payload.AppendTime(append(b, `,"at":`...), &e.At)
	b = payload.AppendString(append(b, `,"actor":{"kind":`...), e.Actor.Kind)
	b = payload.AppendString(append(b, `,"id":`...), e.Actor.ID)
	b = payload.AppendString(append(b, `,"name":`...), e.Actor.Name)
	b = payload.AppendString(append(b, `},"action":`...), e.Action)
	b = payload.AppendString(append(b, `,"object":{"kind":`...), e.Object.Kind)
	b = payload.AppendString(append(b, `,"id":`...), e.Object.ID)
	b = strconv.AppendInt(append(b, `},"status":`...), int64(e.Status), 10)
	b = payload.AppendString(append(b, `,"request_id":`...), e.RequestID)
	b = payload.AppendString(append(b, `,"address":`...), e.Address)
	return append(b, '}')
}

// MarshalJSON gives what AppendJSON does.
func (e Entry) MarshalJSON() ([]byte, error) { return AppendJSON(nil, &e), nil }

// MarshalJSON gives the entry with its organization before all else.
func (s Streamed) MarshalJSON() ([]byte, error) {
	b := payload.AppendString([]byte(`{"organization":`), s.Organization)
	end := len(b)
	b = AppendJSON(b, &s.Entry)
	b[end] = ',' // the brace of the entry
	return b, nil
}
