package httpapi

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func TestAnIdempotencyKeyIsPrintableASCII(t *testing.T) {
	for _, ok := range []string{"a", " ", "~", strings.Repeat("k", 255), `{"x"}`} {
		if !printable(ok) {
			t.Errorf("%q is refused", ok)
		}
	}
	for _, bad := range []string{"", strings.Repeat("k", 256), "a\tb", "é", "a\x7f", "\x00"} {
		if printable(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestHashedPartsCannotRunIntoEachOther(t *testing.T) {
	seen := map[[32]byte][]string{}
	for _, parts := range [][]string{{"a", "b"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"a", "", "b"}, {"a\x00b"},
		{"b", "a"}} {
		h := hashed(parts...)
		if other, ok := seen[h]; ok {
			t.Errorf("%q and %q hash to the same", other, parts)
		}
		seen[h] = parts
	}
}

func TestRequestsWithOneKeyRunOneAfterTheOther(t *testing.T) {
	r := newRunning()
	var inside, most atomic.Int32
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			leave, err := r.enter(context.Background(), organization.ID{1}, [32]byte{1})
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			inside.Add(-1)
			leave()
		})
	}
	all.Wait()
	if most.Load() != 1 || len(r.keys) != 0 {
		t.Errorf("%d at once, %d keys left behind", most.Load(), len(r.keys))
	}
}

func TestARepetitionWaitsTenSecondsAndNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRunning()
		leave, err := r.enter(t.Context(), organization.ID{1}, [32]byte{1})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := r.enter(t.Context(), organization.ID{1}, [32]byte{1}); !fault.Is(err, fault.Conflict) ||
			time.Since(began) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		for _, free := range []struct {
			org organization.ID
			key byte
		}{{organization.ID{2}, 1}, {organization.ID{1}, 2}} {
			l, err := r.enter(t.Context(), free.org, [32]byte{free.key})
			if err != nil {
				t.Errorf("%v: %v", free, err)
				continue
			}
			l()
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.enter(gone, organization.ID{1}, [32]byte{1}); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who hung up: %v", err)
		}
		leave()
		if l, err := r.enter(t.Context(), organization.ID{1}, [32]byte{1}); err != nil {
			t.Error(err)
		} else {
			l()
		}
	})
}

func TestAKeptAnswerComesBackWhole(t *testing.T) {
	body := "{\"message\":\"two\\nlines\n\"}"
	tag, location, got, err := parseKept(keptAnswer("3-x", "/v1/athletes/y", []byte(body)))
	if err != nil || tag != "3-x" || location != "/v1/athletes/y" || string(got) != body {
		t.Errorf("%q %q %q %v", tag, location, got, err)
	}
	if _, _, _, err := parseKept([]byte("no lines")); err == nil {
		t.Error("what was never kept is taken")
	}
}

func TestASealedAnswerOpensForItsCallerAlone(t *testing.T) {
	once := &organization.Repeat{Key: [32]byte{1}, Body: [32]byte{2}}
	mine := &call{caller: caller.Caller{Secret: "kb_mine"}}
	sealed, err := mine.seal(once, []byte(`{"token":"kb_new"}`))
	if err != nil || strings.Contains(string(sealed), "kb_new") {
		t.Fatalf("%q, %v", sealed, err)
	}
	if again, _ := mine.seal(once, []byte(`{"token":"kb_new"}`)); string(again) == string(sealed) {
		t.Error("two seals of one answer are the same bytes")
	}
	if got, err := mine.unseal(once, sealed); err != nil || string(got) != `{"token":"kb_new"}` {
		t.Errorf("%q, %v", got, err)
	}
	for what, c := range map[string]struct {
		caller *call
		once   *organization.Repeat
		bytes  []byte
	}{
		"another token": {&call{caller: caller.Caller{Secret: "kb_other"}}, once, sealed},
		"another key":   {mine, &organization.Repeat{Key: [32]byte{3}, Body: once.Body}, sealed},
		"a cut one":     {mine, once, sealed[:5]},
		"a changed one": {mine, once, append(append([]byte{}, sealed[:len(sealed)-1]...), sealed[len(sealed)-1]^1)},
	} {
		if got, err := c.caller.unseal(c.once, c.bytes); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s opens it: %q, %v", what, got, err)
		}
	}
}
