package athlete_test

import (
	"encoding/json"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// Whatever is taken can be read, imported as it reads, and sent again without
// changing anything: the rules agree with themselves. Whatever is not taken is
// refused with problems, and never by a panic.
func FuzzWhatIsTakenComesBackTheSame(f *testing.F) {
	for _, s := range []string{whole, `{"first_name":"a\u0323\u0323\u0323\u0323\u0323\u0323\u0323\u0323"}`,
		`{"first_name":"\u0958\u0958","email":"a@\u212b"}`,
		`{"first_name":"Ann","custom_attributes":{"k":" \n\u0301\t"}}`,
		`{"first_name":"\u2000\u00a0x","date_of_birth":"2000-02-29T00:00:00.000Z","height":7e1}`,
		`{"first_name":"x","positions":null,"weight":-0}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		body, err := payload.Parse(b)
		if err != nil {
			return
		}
		a, err := athlete.New(body, now)
		if err != nil {
			if !fault.Is(err, fault.BadRequest) || len(err.(*fault.Error).Problems) == 0 {
				t.Fatalf("%q: %v", b, err)
			}
			return
		}
		read := athlete.AppendJSON(nil, a)
		if !json.Valid(read) {
			t.Fatalf("%q reads %q", b, read)
		}
		again, err := athlete.FromImport(parse(t, string(read)), now)
		if err != nil || !athlete.Equal(a, again) {
			t.Fatalf("%q reads %s, which imports as %s: %v", b, read, athlete.AppendJSON(nil, again), err)
		}
		// null and the read-only fields are not for an update.
		var fields map[string]any
		if err := json.Unmarshal(read, &fields); err != nil {
			t.Fatal(err)
		}
		for name, v := range fields {
			if v == nil || name == "id" || name == "created_at" || name == "updated_at" {
				delete(fields, name)
			}
		}
		update, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		change, err := athlete.Change(parse(t, string(update)), now)
		if err != nil {
			t.Fatalf("%q reads %s, which cannot be sent: %v", b, read, err)
		}
		if after, err := change(a); err != nil || after.Version != a.Version {
			t.Fatalf("%q reads %s, and sending it changes it to %s: %v", b, read, athlete.AppendJSON(nil, after), err)
		}
	})
}
