package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	people "github.com/kinebase/kinebase/person"
)

func TestWhatHasEndedIsKnownEverywhereAndForgottenInTheEnd(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, other := p.open(), p.open()
		ctx, now := t.Context(), time.Now().Truncate(time.Microsecond)
		session, nobody := people.SessionAt("issuer", "session"), people.SessionAt("issuer", "another")
		ended := func(s *Store, want time.Time, keys ...people.Key) {
			t.Helper()
			got, err := s.Ended(ctx, keys)
			must(t, err)
			if !got.Equal(want) {
				t.Errorf("ended at %v, want %v", got, want)
			}
		}
		ended(s, time.Time{}, session, nobody)
		must(t, s.End(ctx, people.Ending{Key: session, Before: now, Known: true}))
		ended(s, time.Time{}, session)
		must(t, s.End(ctx, people.Ending{Key: session, Before: now}))
		must(t, s.End(ctx, people.Ending{Key: session, Before: now.Add(-time.Hour)}))
		ended(s, now, nobody, session)
		ended(other, now, session, nobody)
		must(t, s.End(ctx, people.Ending{Key: session, Before: now.Add(time.Hour), Known: true}))
		ended(s, now.Add(time.Hour), session)

		for i, want := range []bool{true, false} {
			if first, err := []*Store{s, other}[i].Note(ctx, people.SignIn("state"), time.Hour); first != want ||
				err != nil {
				t.Errorf("noted first: %v, %v; want %v", first, err, want)
			}
		}
		ended(s, time.Time{}, people.SignIn("state"))
		s.now = func() time.Time { return now.Add(2 * time.Hour) }
		must(t, s.forgetEnded(ctx))
		if first, err := s.Note(ctx, people.SignIn("state"), time.Hour); !first || err != nil {
			t.Errorf("after its time a sign-in is still noted: %v, %v", first, err)
		}
		s.now = func() time.Time { return now.Add(endedKeep + 2*time.Hour) }
		must(t, s.forgetEnded(ctx))
		s.ended.forget()
		ended(s, time.Time{}, session)
	})
}

// TestASessionAtTheProviderIsKnownAsLongAsOneOfOursRestsOnIt signs in twice by one session at the provider,
// which lasts longer than ours, and ends it late.
func TestASessionAtTheProviderIsKnownAsLongAsOneOfOursRestsOnIt(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ctx, start := t.Context(), time.Now().Truncate(time.Microsecond)
		k := people.SessionAt("issuer", "session")
		at := func(passed time.Duration) {
			t.Helper()
			s.now = func() time.Time { return start.Add(passed) }
			must(t, s.forgetEnded(ctx))
			s.ended.forget()
		}
		for _, passed := range []time.Duration{0, people.KeepSession - time.Hour, 2*people.KeepSession - 2*time.Hour} {
			at(passed)
			_, err := s.Note(ctx, k, people.KeepSession)
			must(t, err)
		}
		at(3*people.KeepSession - 3*time.Hour)
		until := s.now().Add(people.KeepSession)
		must(t, s.End(ctx, people.Ending{Key: k, Before: until, Known: true}))
		at(4*people.KeepSession - 3*time.Hour) // later than it would be forgotten had it not ended
		got, err := s.Ended(ctx, []people.Key{k})
		must(t, err)
		if !got.Equal(until) {
			t.Errorf("it ended at %v, want %v", got, until)
		}
	})
}

// TestWhatAnybodyMaySayHasEndedCostsNoWrite asks to end what nobody has noted, which takes no sign-in and no rate.
func TestWhatAnybodyMaySayHasEndedCostsNoWrite(t *testing.T) {
	s := place{t, Options{Data: t.TempDir()}}.open()
	other := people.SessionAt("issuer", "of somebody")
	must(t, s.End(t.Context(), people.Ending{Key: other, Before: noon}))
	_, err := s.Ended(t.Context(), []people.Key{other})
	must(t, err)
	before, _, err := s.engine.Moment(t.Context())
	must(t, err)
	for _, k := range []people.Key{other, people.SessionAt("issuer", "of nobody")} {
		must(t, s.End(t.Context(), people.Ending{Key: k, Before: noon, Known: true}))
	}
	if after, _, err := s.engine.Moment(t.Context()); after != before || err != nil {
		t.Errorf("something was written: %d, then %d, %v", before, after, err)
	}
	if _, _, there := s.ended.get(other); !there {
		t.Error("what was remembered is forgotten")
	}
}

func TestAnOrganizationIsFoundByItsIDOrName(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		ctx := t.Context()
		make := func(name string) organization.ID {
			o := organization.Organization{ID: organization.NewID(), Name: name, CreatedAt: time.Now()}
			must(t, s.CreateOrganization(ctx, o))
			return o.ID
		}
		lab, twin, first, second := make("Lab Zoë"), make("Twin"), make("Same"), make("Other")
		const directory = "11111111-2222-4333-8444-55555555555A"
		tenant, mimic := make(directory), make(lab.String())
		for id, name := range map[organization.ID]string{first: "Same", second: "same"} {
			// as they were before names were unique
			must(t, s.write(ctx, id, func(w *writeTx) error {
				return w.Do(db.Exec(`UPDATE organization SET name = $2, name_key = NULL WHERE id = $1`, id, name))
			}))
		}
		for named, want := range map[string]organization.ID{"Lab Zoë": lab, "LAB ZOE\u0308": lab, lab.String(): lab,
			"Twin": twin, "Same": first, "same": second, directory: tenant, strings.ToLower(directory): tenant,
			mimic.String(): mimic} {
			if got, err := s.Tenant(ctx, named); got != want || err != nil {
				t.Errorf("%q is %v, %v; want %v", named, got, err, want)
			}
		}
		for _, named := range []string{"", "Lab", "SAME", "00000000-0000-0000-0000-000000000000",
			organization.NewUUID(), "%", "Lab Zoë ", "Lab\x00Zoë", "\xff", strings.Repeat("Lab", 100)} {
			if got, err := s.Tenant(ctx, named); !fault.Is(err, fault.NotFound) {
				t.Errorf("%q is %v, %v", named, got, err)
			}
		}
		must(t, s.RenameOrganization(ctx, lab, "Another"))
		if _, err := s.Tenant(ctx, "Lab Zoë"); !fault.Is(err, fault.NotFound) {
			t.Errorf("by its old name: %v", err)
		}
		at := time.Now()
		must(t, s.SuspendOrganization(ctx, lab, &at))
		if _, err := s.Tenant(ctx, "Another"); !fault.Is(err, fault.Forbidden) {
			t.Errorf("suspended: %v", err)
		}
		must(t, s.SuspendOrganization(ctx, lab, nil))
		must(t, s.DeleteOrganization(ctx, twin))
		if _, err := s.Tenant(ctx, twin.String()); !fault.Is(err, fault.NotFound) {
			t.Errorf("deleted: %v", err)
		}
	})
}

// exercisePeople runs each statement about people, and about what waits, once.
func exercisePeople(ctx context.Context, t *testing.T, s *Store, org organization.ID) {
	k := people.SignIn("exercise")
	for _, named := range []string{org.String(), "a name"} {
		if _, err := s.Tenant(ctx, named); err != nil && !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	for range 2 {
		_, err := s.Note(ctx, k, -time.Hour)
		must(t, err)
	}
	_, err := s.Ended(ctx, []people.Key{k})
	must(t, err)
	must(t, s.forgetEnded(ctx))
	_, err = s.Note(ctx, k, time.Hour)
	must(t, err)
	must(t, s.End(ctx, people.Ending{Key: k, Before: noon, Known: true}))
	must(t, s.End(ctx, people.Ending{Key: k, Before: noon}))
	_, err = s.Backlogs(ctx)
	must(t, err)
}
