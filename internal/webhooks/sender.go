// Package webhooks sends deliveries to receivers, and sees to it that it connects to nothing that it may not.
package webhooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/webhook"
)

// Options are how a Sender sends.
type Options struct {
	Private  bool             // addresses that are not public may be connected to
	Now      func() time.Time // nil: time.Now
	Roots    *x509.CertPool   // whose certificates are trusted; nil: those that the system trusts
	Resolver *net.Resolver    // that finds the addresses of names; nil: that of the system
	Patience time.Duration    // how long a receiver may take for its answer; 0: webhook.AnswerTime
}

// Sender is a webhook.Sender over HTTP.
type Sender struct {
	options     Options
	secure, own *http.Transport // for https, and for http to this machine
}

// answerRoom is as much of an answer as is read.
const answerRoom = 64 << 10

// errAddress is what ends a connection to an address that is not allowed.
var errAddress = errors.New("the address is not one that a webhook may be at")

// New makes a sender.
func New(o Options) *Sender {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Patience == 0 {
		o.Patience = webhook.AnswerTime
	}
	return &Sender{
		options: o,
		secure:  o.transport(func(a netip.Addr) bool { return o.Private || webhook.Public(a) }),
		own:     o.transport(func(a netip.Addr) bool { return o.Private && a.Unmap().IsLoopback() }),
	}
}

// transport makes one that connects to allowed addresses alone. It asks no proxy, which would connect in its place.
func (o Options) transport(allowed func(netip.Addr) bool) *http.Transport {
	judge := func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(to.Addr()) {
			return errAddress
		}
		return nil
	}
	dialer := net.Dialer{Timeout: o.Patience, Resolver: o.Resolver, Control: judge}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    webhook.Batch,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    o.Patience,
		MaxResponseHeaderBytes: answerRoom,
		DisableCompression:     true,
	}
}

// Close ends the connections that are kept for the next delivery.
func (s *Sender) Close() error {
	s.secure.CloseIdleConnections()
	s.own.CloseIdleConnections()
	return nil
}

// Send makes one attempt.
func (s *Sender) Send(ctx context.Context, w webhook.Webhook, d webhook.Delivery) webhook.Outcome {
	ctx, cancel := context.WithTimeout(ctx, s.options.Patience)
	defer cancel()
	status, err := s.post(ctx, w, d)
	o := webhook.Outcome{At: s.options.Now().UTC(), Status: status}
	switch {
	case err != nil:
		o.Problem = problem(ctx, err)
	case status >= 300 && status < 400:
		o.Problem = webhook.Redirect
	case status < 200 || status >= 300:
		o.Problem = webhook.Status
	}
	return o
}

func (s *Sender) post(ctx context.Context, w webhook.Webhook, d webhook.Delivery) (status int, err error) {
	u, err := webhook.ParseURL(w.URL, s.options.Private)
	if err != nil { // it was allowed when it was written down
		return 0, errAddress
	}
	body, now := d.Body(), s.options.Now()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Kinebase-Webhooks")
	r.Header["webhook-id"] = []string{d.ID}
	r.Header["webhook-timestamp"] = []string{strconv.FormatInt(now.Unix(), 10)}
	r.Header["webhook-signature"] = []string{webhook.Sign(d.ID, now, body, w.Secrets(now))}
	to := s.secure
	if u.Scheme == "http" {
		to = s.own
	}
	answer, err := to.RoundTrip(r) // follows no redirect, and reads none
	if err != nil {
		return 0, err
	}
	// The status is what counts: the receiver has taken what is sent, also where the rest breaks off or does
	// not come. A connection is used again where it comes in time and is short.
	_, _ = io.CopyN(io.Discard, answer.Body, answerRoom)
	_ = answer.Body.Close()
	return answer.StatusCode, nil
}

// problem says in a word why nothing was answered.
func problem(ctx context.Context, err error) webhook.Problem {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.Is(err, errAddress):
		return webhook.Address
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return webhook.Timeout
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &verification):
		return webhook.Certificate
	}
	return webhook.Connection
}
