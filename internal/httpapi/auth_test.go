package httpapi

import "testing"

func TestABearerTokenIsReadFromOneField(t *testing.T) {
	for _, c := range []struct {
		fields []string
		token  string
		came   bool
	}{
		{nil, "", false},
		{[]string{""}, "", false},
		{[]string{"Bearer"}, "", false},
		{[]string{"Bearer "}, "", false},
		{[]string{"Basic dXNlcjpwYXNz"}, "", false},
		{[]string{"kb_x"}, "", false},
		{[]string{"Bearer kb_x"}, "kb_x", true},
		{[]string{"bearer kb_x"}, "kb_x", true},
		{[]string{"BEARER   kb_x "}, "kb_x", true},
		{[]string{"Bearer kb_x y"}, "kb_x y", true},
		{[]string{"Bearer kb_x", "Bearer kb_y"}, "", true},
		{[]string{"Bearer kb_x", "Basic z"}, "", true},
		{[]string{"Basic z", "Bearer kb_x"}, "", true},
	} {
		if token, came := bearer(c.fields); token != c.token || came != c.came {
			t.Errorf("%q is token %q, came %v", c.fields, token, came)
		}
	}
}
