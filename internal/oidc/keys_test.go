package oidc

import (
	"context"
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
)

// signed is a token of a key that calls itself by a name, and that key.
func signed(t *testing.T, id string) (string, jose.JSONWebKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{Key: private, KeyID: id}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.Sign([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	token, err := made.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token, jose.JSONWebKey{Key: public, KeyID: id, Algorithm: string(jose.EdDSA)}
}

// TestWhileTheProviderHangsForgedTokensWaitBrieflyForOneQuestion sends tokens with keys that nobody knows, while the
// provider takes the question for its keys and gives no answer.
func TestWhileTheProviderHangsForgedTokensWaitBrieflyForOneQuestion(t *testing.T) {
	good, key := signed(t, "known")
	now := time.Now()
	asked, over := make(chan struct{}, 100), make(chan time.Time)
	hang := make(chan error)
	k := &keys{now: func() time.Time { return now }, known: []jose.JSONWebKey{key}, at: now,
		asked: now.Add(-unknownAgain),
		fetch: func(context.Context) ([]jose.JSONWebKey, error) {
			asked <- struct{}{}
			return nil, <-hang
		},
		after: func(d time.Duration) <-chan time.Time {
			if d != keyPatience || d >= patience {
				t.Errorf("a token waits for %v", d)
			}
			return over
		},
	}
	const forged = 20
	ended := make(chan error, forged)
	for range forged {
		token, _ := signed(t, "made up")
		go func() {
			_, err := k.VerifySignature(context.Background(), token)
			ended <- err
		}()
	}
	testkit.Receive(t, asked, "the keys are asked for")
	if _, err := k.VerifySignature(t.Context(), good); err != nil {
		t.Errorf("meanwhile a token of a known key is %v", err)
	}
	for range forged {
		select {
		case over <- now:
		case <-time.After(testkit.Patience):
			t.Fatal("a token waits for nothing but the provider")
		}
		if err := testkit.Receive(t, ended, "a token is answered"); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a token that waited is %v", err)
		}
	}
	hang <- errSlow
	testkit.Until(t, "the question has ended", func() bool {
		k.lock.Lock()
		defer k.lock.Unlock()
		return k.asking == nil
	})
	token, _ := signed(t, "made up")
	if _, err := k.VerifySignature(t.Context(), token); !fault.Is(err, fault.Unavailable) {
		t.Errorf("after it a token is %v", err)
	}
	if len(asked) != 0 {
		t.Errorf("the provider was asked %d more times", len(asked))
	}
}
