package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// keys are those that the provider signs with. They are fetched when none is known, when a token names one
// that is not known, but then at most once a minute, and when they are an hour old, so that a key counts no
// more that the provider has taken back. While the provider does not answer, those that are known go on to
// count.
type keys struct {
	now   func() time.Time
	fetch func(context.Context) ([]jose.JSONWebKey, error)
	after func(time.Duration) <-chan time.Time // as time.After

	lock    sync.Mutex
	known   []jose.JSONWebKey
	at      time.Time     // when they were fetched
	asked   time.Time     // when they were asked for last
	asking  chan struct{} // closed when the question under way has ended; nil: there is none
	failure error
}

// unknownAgain is how often keys are fetched because a token names another one.
const unknownAgain = time.Minute

// keyPatience is how long a token waits for keys that are being fetched: whoever makes tokens up must not fill the
// server with what waits for a provider that hangs. The answer counts for those that come later.
const keyPatience = 2 * time.Second

var errSlow = errors.New("the provider has not shown its keys yet")

var errNoKey = errors.New("no key of the provider has made this signature")

// VerifySignature gives the payload of a token that one of the keys has signed. The algorithm is one of signatures: the
// verifier has looked at it.
func (k *keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	algorithms := make([]jose.SignatureAlgorithm, len(signatures))
	for i, name := range signatures {
		algorithms[i] = jose.SignatureAlgorithm(name)
	}
	signed, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return nil, err
	}
	id := signed.Signatures[0].Header.KeyID
	for {
		known, more, err := k.look(ctx, id)
		if err != nil {
			return nil, err
		}
		for i := range known {
			if id == "" || known[i].KeyID == id {
				if payload, err := signed.Verify(&known[i]); err == nil {
					return payload, nil
				}
			}
		}
		if more == nil {
			return nil, errNoKey
		}
		select {
		case <-more:
		case <-k.after(keyPatience):
			return nil, away(errSlow)
		case <-ctx.Done():
			return nil, away(ctx.Err())
		}
	}
}

// look gives the keys that are known, and where the one that is named is not among them and may be asked for, what is
// closed once there is an answer.
func (k *keys) look(ctx context.Context, id string) (known []jose.JSONWebKey, more chan struct{}, err error) {
	k.lock.Lock()
	defer k.lock.Unlock()
	now := k.now()
	wait := unknownAgain
	if k.known == nil {
		wait = again
	}
	due := k.asked.IsZero() || now.Sub(k.asked) >= wait || now.Before(k.asked)
	has := false
	for i := range k.known {
		has = has || k.known[i].KeyID == id
	}
	if k.asking == nil && due && (!has && id != "" || k.known == nil || now.Sub(k.at) >= fresh) {
		k.asking, k.asked = make(chan struct{}), now
		go k.ask(context.WithoutCancel(ctx), k.asking)
	}
	switch {
	case has:
		return k.known, nil, nil
	case k.asking != nil:
		return k.known, k.asking, nil
	case k.known == nil || k.failure != nil && id != "":
		return nil, nil, away(k.failure)
	}
	return k.known, nil, nil
}

func (k *keys) ask(ctx context.Context, done chan struct{}) {
	found, err := k.fetch(ctx)
	k.lock.Lock()
	defer k.lock.Unlock()
	k.asking, k.failure = nil, err
	if err == nil {
		k.known, k.at = found, k.now()
	}
	close(done)
}

func (p *Provider) fetchKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	d, err := p.describe(ctx)
	if err != nil {
		return nil, err
	}
	return p.fetchFrom(ctx, d.JWKS)
}

func (p *Provider) fetchFrom(ctx context.Context, address string) ([]jose.JSONWebKey, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the keys answer %s", answer.Status)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("the keys are no JSON: %w", err)
	}
	found := []jose.JSONWebKey{}
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		// Of a kind that is not known here, secret, or for encryption: none that signs for us.
		if key.UnmarshalJSON(raw) == nil && key.IsPublic() && key.Valid() && (key.Use == "" || key.Use == "sig") {
			found = append(found, key)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("the provider shows no key that signs")
	}
	return found, nil
}
