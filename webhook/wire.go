package webhook

import (
	"strconv"

	"github.com/kinebase/kinebase/payload"
)

// AppendJSON appends a webhook, with its secret where it is to be shown.
func AppendJSON(b []byte, w *Webhook, secret bool) []byte {
	b = payload.AppendString(append(b, `{"id":`...), w.ID)
	b = payload.AppendString(append(b, `,"url":`...), w.URL)
	b = append(b, `,"events":[`...)
	for i, e := range w.Events {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, string(e))
	}
	b = payload.AppendString(append(b, `],"description":`...), w.Description)
	b = strconv.AppendBool(append(b, `,"enabled":`...), w.State == Enabled)
	b = payload.AppendString(append(b, `,"state":`...), w.State.String())
	b = appendOr(append(b, `,"reason":`...), string(w.Reason))
	b = payload.AppendTime(append(b, `,"created_at":`...), &w.CreatedAt)
	b = payload.AppendTime(append(b, `,"updated_at":`...), &w.UpdatedAt)
	b = payload.AppendTime(append(b, `,"last_delivered_at":`...), w.DeliveredAt)
	b = payload.AppendTime(append(b, `,"failing_since":`...), w.FailingSince)
	b = payload.AppendTime(append(b, `,"previous_secret_until":`...), w.PreviousUntil)
	if secret {
		b = payload.AppendString(append(b, `,"secret":`...), string(w.Secret))
	}
	return append(b, '}')
}

// AppendDelivery appends a delivery as the log of a webhook shows it.
func AppendDelivery(b []byte, d *Delivery) []byte {
	b = payload.AppendString(append(b, `{"id":`...), d.ID)
	b = payload.AppendString(append(b, `,"type":`...), string(d.Event))
	b = payload.AppendTime(append(b, `,"timestamp":`...), &d.At)
	b = d.AppendData(append(b, `,"data":`...))
	b = payload.AppendString(append(b, `,"state":`...), d.State.String())
	b = strconv.AppendInt(append(b, `,"attempts":`...), int64(d.Attempts), 10)
	b = payload.AppendTime(append(b, `,"next_attempt_at":`...), d.DueAt)
	b = payload.AppendTime(append(b, `,"last_attempt_at":`...), d.LastAt)
	b = append(b, `,"last_status":`...)
	if d.LastCode == 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(d.LastCode), 10)
	}
	b = appendOr(append(b, `,"problem":`...), string(d.Problem))
	return append(b, '}')
}

// appendOr appends a text, or null for an empty one.
func appendOr(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return payload.AppendString(b, s)
}
