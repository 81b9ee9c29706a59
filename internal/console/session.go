package console

import (
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// parseSignIn reads {"token": "kb_…"}. White space around the token, which comes
// along when people copy, is taken off.
func parseSignIn(h http.Header, body []byte) (string, error) {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return "", fault.New(fault.UnsupportedMediaType, "The Content-Type must be application/json.")
	}
	o, err := payload.Parse(body)
	if err != nil {
		return "", err
	}
	var wrong fault.Problems
	token := ""
	for _, m := range o.Members() {
		switch {
		case m.Name != "token":
			wrong.Add(m.Name, "%s is not a field here: only token is", payload.Quote(m.Name))
		case m.Value.Kind() != payload.KindString:
			wrong.Add("token", "token must be a string")
		default:
			token = strings.TrimSpace(m.Value.String())
		}
	}
	if len(wrong) == 0 && token == "" {
		wrong.Add("token", "token must not be empty")
	}
	return token, wrong.Err()
}

// holder is the id of the token or the person whose session it is.
func (v sealed) holder(p Person) organization.ID {
	if v.person != nil {
		return p.Caller.Person
	}
	return p.Caller.Token
}

// appendPerson appends the object of a session.
func (s *sessions) appendPerson(b []byte, v sealed, p Person) []byte {
	quote := func(before, text string) { b = payload.AppendString(append(b, before...), text) }
	id, name, scopes := v.holder(p), p.Caller.Name, p.Caller.Permissions.Strings()
	if v.person != nil {
		name = v.person.Name
	}
	quote(`{"organization":{"id":`, p.Organization.ID.String())
	quote(`,"name":`, p.Organization.Name)
	quote(`},"token":{"id":`, id.String())
	quote(`,"name":`, name)
	before := `,"scopes":[`
	for _, scope := range scopes {
		quote(before, scope)
		before = ","
	}
	b = payload.AppendTime(append(b, `],"expires_at":`...), p.Caller.ExpiresAt)
	if v.person != nil {
		b = append(b, `,"kind":"person"`...)
	}
	b = append(b, `},"limits":{"max_upload_bytes":`...)
	b = appendInt(b, s.MaxUpload)
	quote(`},"version":`, s.Version)
	return append(b, '}')
}

func faultOf(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	return fault.Wrap(err, fault.Internal, "%s", "unexpected")
}
