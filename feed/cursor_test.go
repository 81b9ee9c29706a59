package feed_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
)

func TestACursorIsTakenByTheListTheStoreAndTheOrganizationThatHaveGivenIt(t *testing.T) {
	secret := []byte("secret")
	here := feed.NewCursors(secret, "changes", []byte("12345678"))
	rapid.Check(t, func(t *rapid.T) {
		mark := feed.Mark{Position: rapid.Int64Min(0).Draw(t, "position"), Began: rapid.Int64Min(0).Draw(t, "began"),
			Told: feed.SetOf(feed.Kinds[:rapid.IntRange(1, len(feed.Kinds)).Draw(t, "kinds")]...)}
		cursor, err := here.Format("lab", mark)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := here.Parse("lab", cursor); err != nil || got != mark {
			t.Errorf("%+v is read as %+v (%v)", mark, got, err)
		}
		if _, err := here.Parse("another lab", cursor); !fault.Is(err, fault.BadRequest) {
			t.Errorf("another organization says %v", err)
		}
		if _, err := feed.NewCursors(secret, "audit log", []byte("12345678")).Parse("lab", cursor); !fault.Is(err,
			fault.BadRequest) {
			t.Errorf("another list says %v", err)
		}
		for _, epoch := range []string{"", "87654321"} {
			if _, err := feed.NewCursors(secret, "changes", []byte(epoch)).Parse("lab", cursor); !fault.Is(err,
				fault.Gone) {
				t.Errorf("a store of the epoch %q says %v", epoch, err)
			}
		}
	})
}

func TestACursorOfBeforeThereWereEpochsIsStillTaken(t *testing.T) {
	const cursor = "2zUuSjDUb_5ph1my-dSNXE7zYNpjhJJSygeRMpTW6lI"
	got, err := feed.NewCursors([]byte("secret"), "changes", make([]byte, 8)).Parse("lab", cursor)
	if want := (feed.Mark{Position: 7<<22 | 1, Began: 5, Told: feed.SetOf(feed.Athlete)}); err != nil || got != want {
		t.Errorf("it is read as %+v (%v)", got, err)
	}
}
