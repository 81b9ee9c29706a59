package audit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/audit"
)

func TestAnEntryIsTheSameWhereverItIsShown(t *testing.T) {
	e := audit.Entry{ID: "1", At: time.Date(2026, 1, 2, 3, 4, 5, 100_000_000, time.FixedZone("", 3600)),
		Actor:  audit.Actor{Kind: audit.Token, ID: "2", Name: "nightly \"run\" <1>"},
		Action: "createAthlete", Object: audit.Object{Kind: "athlete", ID: "3"}, Status: 200, RequestID: "4",
		Address: "::1"}
	shown := string(audit.AppendJSON(nil, &e))
	if !strings.Contains(shown, `"at":"2026-01-02T02:04:05.100Z"`) {
		t.Errorf("the time is not written as all times are: %s", shown)
	}
	streamed, err := json.Marshal(audit.Streamed{Organization: "o", Entry: e})
	if err != nil {
		t.Fatal(err)
	}
	var alone, within audit.Entry
	var with audit.Streamed
	for text, to := range map[string]any{shown: &alone, string(streamed): &with} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	within = with.Entry
	if alone != within || !alone.At.Equal(e.At) || alone.Actor != e.Actor || with.Organization != "o" {
		t.Errorf("shown %s, streamed %s", shown, streamed)
	}
}
