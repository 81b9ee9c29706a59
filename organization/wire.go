package organization

import "github.com/kinebase/kinebase/payload"

// AppendToken appends a token, with its secret where it is to be shown.
func AppendToken(b []byte, t Token, secret Secret) []byte {
	b = payload.AppendString(append(b, `{"id":`...), t.ID.String())
	b = payload.AppendString(append(b, `,"name":`...), t.Name)
	b = append(b, `,"scopes":[`...)
	for i, p := range t.Permissions {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, string(p))
	}
	b = payload.AppendTime(append(b, `],"created_at":`...), &t.CreatedAt)
	b = payload.AppendTime(append(b, `,"expires_at":`...), t.ExpiresAt)
	b = payload.AppendTime(append(b, `,"last_used_at":`...), t.LastUsedAt)
	b = payload.AppendTime(append(b, `,"revoked_at":`...), t.RevokedAt)
	if secret != "" {
		b = payload.AppendString(append(b, `,"token":`...), string(secret))
	}
	return append(b, '}')
}
