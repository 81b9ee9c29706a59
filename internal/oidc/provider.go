// Package oidc asks an OpenID provider: it begins and ends sign-ins, and verifies what the provider has
// signed. It needs no store, and the provider may be away when it is made.
package oidc

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kinebase/kinebase/fault"
)

// Options say which provider, and what this server is there.
type Options struct {
	Issuer       string
	ClientID     string // "": nobody signs in to the console
	ClientSecret string // "": a public client
	Audience     string // of access tokens; "": none are taken
	Scopes       []string
	PublicURL    string // where browsers reach this server
	Log          *slog.Logger
	Now          func() time.Time // nil: time.Now
}

const (
	// patience bounds one question to the provider.
	patience = 10 * time.Second
	// largest bounds the bytes of an answer of the provider.
	largest = 1 << 20
	// again is how long a provider that has not answered is not asked again.
	again = 5 * time.Second
	// fresh is how old what the provider says about itself gets before it is asked again.
	fresh = time.Hour
	// skew is how far the clock of the provider may be ahead or behind.
	skew = time.Minute
)

// signatures are the algorithms that are taken. None of them can be made with a key that anybody may read.
var signatures = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256,
	oidc.ES384, oidc.ES512, oidc.EdDSA}

// Provider is an OpenID provider.
type Provider struct {
	o      Options
	client *http.Client
	keys   *keys

	lock    sync.Mutex
	asking  chan struct{} // closed when the question under way has ended; nil: there is none
	known   *description
	asked   time.Time // when the provider was asked last
	failure error     // of the last question
}

// description is what the provider says about itself.
type description struct {
	endpoint   oauth2.Endpoint
	JWKS       string `json:"jwks_uri"`
	EndSession string `json:"end_session_endpoint"`
	at         time.Time
}

// New makes one. Nothing is asked yet.
func New(o Options) *Provider {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	p := &Provider{o: o, client: &http.Client{Timeout: patience, Transport: bounded{http.DefaultTransport}}}
	p.keys = &keys{now: o.Now, fetch: p.fetchKeys, after: time.After}
	return p
}

// bounded cuts answers off that are too large.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, largest), answer.Body}
	}
	return answer, err
}

// Away is the error of what needs the provider while it does not answer.
func away(err error) error {
	return fault.Busy(err, again, "The OpenID provider does not answer. Tokens of this server count as ever.")
}

// describe gives what the provider says about itself: what is known, or what it answers now. Callers share
// one question.
func (p *Provider) describe(ctx context.Context) (*description, error) {
	for {
		p.lock.Lock()
		now := p.o.Now()
		known, asking := p.known, p.asking
		due := now.Sub(p.asked) >= again || now.Before(p.asked)
		switch {
		case known != nil && (now.Sub(known.at) < fresh || !due):
			p.lock.Unlock()
			return known, nil
		case asking == nil && !due:
			failure := p.failure
			p.lock.Unlock()
			return nil, away(failure)
		case asking == nil:
			asking = make(chan struct{})
			p.asking, p.asked = asking, now
			go p.ask(context.WithoutCancel(ctx), asking)
		}
		p.lock.Unlock()
		if known != nil { // a new answer is for the next one
			return known, nil
		}
		select {
		case <-asking:
		case <-ctx.Done():
			return nil, away(ctx.Err())
		}
	}
}

func (p *Provider) ask(ctx context.Context, done chan struct{}) {
	found, err := p.discover(ctx)
	p.lock.Lock()
	defer p.lock.Unlock()
	p.asking, p.failure = nil, err
	if err == nil {
		p.known = found
	} else {
		p.o.Log.Warn("the OpenID provider could not be asked about itself", "issuer", p.o.Issuer, "error", err)
	}
	close(done)
}

func (p *Provider) discover(ctx context.Context) (*description, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.o.Issuer)
	if err != nil {
		return nil, err
	}
	d := &description{endpoint: found.Endpoint(), at: p.o.Now()}
	return d, found.Claims(d)
}

// Check asks the provider about itself and for its keys, whatever is known.
func (p *Provider) Check(ctx context.Context) error {
	d, err := p.discover(ctx)
	if err != nil {
		return err
	}
	_, err = p.fetchFrom(ctx, d.JWKS)
	return err
}

// oauth is this server as a client of the provider.
func (p *Provider) oauth(d *description) oauth2.Config {
	scopes := p.o.Scopes
	if !slices.Contains(scopes, oidc.ScopeOpenID) {
		scopes = append([]string{oidc.ScopeOpenID}, scopes...)
	}
	return oauth2.Config{ClientID: p.o.ClientID, ClientSecret: p.o.ClientSecret, Endpoint: d.endpoint, Scopes: scopes,
		RedirectURL: p.o.PublicURL + CallbackPath}
}

// CallbackPath is where the provider sends a browser back to.
const CallbackPath = "/console/sign-in/callback"
