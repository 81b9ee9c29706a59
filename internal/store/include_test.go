package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/upload"
)

func TestWarningsThatWereKeptBeforeTheyWereCountedAreCounted(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "org")
		org := mustID(t, sc.Organization.String())
		put(t, s, sc, session("counted", nil), session("unread", nil))
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			read := &recording{Stored: upload.Stored{FileName: "a.c3d",
				Info: []byte(`{"format":"c3d","warnings":[{"code":"a","message":"]}"},{}],"x":[1]}`)}}
			return errors.Join(w.insertRecording("counted", read),
				w.insertRecording("unread", &recording{Stored: upload.Stored{FileName: "b.c3d"}}))
		}))
		look := func() {
			t.Helper()
			for session, want := range map[string]string{"counted": `"file_name":"a.c3d","warning_count":2}`,
				"unread": `"file_name":"b.c3d","warning_count":null}`} {
				a, err := s.Capture(t.Context(), sc, session, capture.IncludeFile|capture.IncludeWarnings)
				must(t, err)
				if !strings.HasSuffix(string(a.Body), want) {
					t.Errorf("%s reads %s", session, a.Body)
				}
			}
		}
		look()
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE recording SET warnings = NULL WHERE organization = $1`, org))
		}))
		look()
	})
}
