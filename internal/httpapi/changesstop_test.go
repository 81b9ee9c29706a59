package httpapi

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
)

// stillFeed is a feed in which nothing changes.
type stillFeed struct{ read chan struct{} }

func (f stillFeed) Changes(context.Context, organization.Scope, feed.Query) (feed.Page, error) {
	select {
	case f.read <- struct{}{}:
	default:
	}
	return feed.Page{}, nil
}

func (f stillFeed) Changed(organization.Scope) <-chan struct{} { return nil }

func TestAStopAnswersWhoeverWaitsForAChange(t *testing.T) {
	still, stopping := stillFeed{make(chan struct{}, 1)}, make(chan struct{})
	a := &api{Options: Options{Feed: still, Stopping: stopping},
		polls:   turns.NewShares[organization.ID](pollShare, turns.ToRead),
		cursors: feed.NewCursors([]byte("secret"), "changes", nil)}
	answer := httptest.NewRecorder()
	c := &call{w: answer, r: httptest.NewRequestWithContext(t.Context(), "GET", "/v1/changes?wait=30", nil),
		caller: caller.Caller{Organization: organization.NewID(), Permissions: organization.AllPermissions}}
	done := make(chan error, 1)
	go func() { done <- a.listChanges(c) }()
	testkit.Receive(t, still.read, "it has read, and waits")
	close(stopping)
	if err := testkit.Receive(t, done, "it is answered"); err != nil {
		t.Fatal(err)
	}
	if body := answer.Body.String(); answer.Code != 200 || !strings.HasPrefix(body, `{"changes":[],"cursor":"`) ||
		!strings.HasSuffix(body, `","more":false}`) {
		t.Errorf("the answer is %d %s", answer.Code, body)
	}
	if held, _ := a.polls.Holds(); held != 0 {
		t.Errorf("%d places are held after it", held)
	}
}
