package webhooks

import (
	"bytes"
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// delivery is one that was never tried.
func delivery() webhook.Delivery {
	return webhook.Delivery{ID: organization.NewUUID(), At: time.Now(),
		Data: webhook.Data{Event: webhook.CaptureCompleted, ID: `a "name" of Jörg's`, Status: "completed"}}
}

// to makes a webhook for a receiver.
func to(url string) webhook.Webhook {
	return webhook.New(webhook.Change{URL: &url}, time.Now())
}

func TestAReceiverVerifiesWhatIsSentWithAPublishedLibrary(t *testing.T) {
	var secrets []string
	heard := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		heard++
		for _, secret := range secrets {
			verifier, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Error(err)
				continue
			}
			if err := verifier.Verify(body, r.Header); err != nil {
				t.Errorf("%s: %v", body, err)
			}
			if verifier.Verify(bytes.Replace(body, []byte("completed"), []byte("Completed"), 1), r.Header) == nil {
				t.Error("another body has the same signature")
			}
		}
		if got := strings.Count(r.Header.Get("webhook-signature"), "v1,"); got != len(secrets) ||
			r.Header.Get("Content-Type") != "application/json" || r.Method != http.MethodPost {
			t.Errorf("%d signatures, %s %s", got, r.Method, r.Header.Get("Content-Type"))
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	s := New(Options{Private: true, Roots: roots})
	defer func() { _ = s.Close() }()
	w := to(server.URL)
	secrets = []string{string(w.Secret)}
	if o := s.Send(t.Context(), w, delivery()); o.Problem != webhook.None || o.Status != 204 {
		t.Errorf("%+v", o)
	}
	w = w.Rotated(time.Now())
	secrets = append(secrets, string(w.Secret))
	if o := s.Send(t.Context(), w, delivery()); o.Problem != webhook.None {
		t.Errorf("after a rotation: %+v", o)
	}
	w.PreviousUntil = new(time.Time)
	secrets = secrets[1:]
	if o := s.Send(t.Context(), w, delivery()); o.Problem != webhook.None {
		t.Errorf("a day after it: %+v", o)
	}
	if heard != 3 {
		t.Errorf("%d deliveries", heard)
	}
	if o := New(Options{Private: true}).Send(t.Context(), w, delivery()); o.Problem != webhook.Certificate ||
		heard != 3 {
		t.Errorf("of an unknown authority: %+v", o)
	}
}

func TestWhatAReceiverDoesWrongIsNamed(t *testing.T) {
	hanging := make(chan struct{})
	followed := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Only who has read the body is told that the caller has gone.
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		switch r.URL.Path {
		case "/fails":
			w.WriteHeader(http.StatusInternalServerError)
		case "/gone":
			w.WriteHeader(http.StatusGone)
		case "/redirects":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/elsewhere":
			followed = true
		case "/breaks":
			panic(http.ErrAbortHandler)
		case "/hangs":
			select {
			case <-hanging:
			case <-r.Context().Done():
			}
		case "/redirects/nowhere":
			w.Header().Set("Location", "https://[")
			w.WriteHeader(http.StatusFound)
		case "/breaks/later", "/gone/breaks":
			w.WriteHeader(map[string]int{"/breaks/later": http.StatusAccepted,
				"/gone/breaks": http.StatusGone}[r.URL.Path])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/endless":
			line := bytes.Repeat([]byte("x"), 1<<10)
			for r.Context().Err() == nil {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	defer close(hanging)
	patient, hasty := New(Options{Private: true}), New(Options{Private: true, Patience: time.Millisecond})
	defer func() { _, _ = patient.Close(), hasty.Close() }()
	for path, want := range map[string]webhook.Outcome{
		"/":          {Status: 200},
		"/fails":     {Status: 500, Problem: webhook.Status},
		"/gone":      {Status: 410, Problem: webhook.Status},
		"/redirects": {Status: 307, Problem: webhook.Redirect},
		"/breaks":    {Problem: webhook.Connection},

		"/redirects/nowhere": {Status: 302, Problem: webhook.Redirect},
		"/breaks/later":      {Status: 202}, // it was taken
		"/gone/breaks":       {Status: 410, Problem: webhook.Status},
		"/endless":           {Status: 200}, // it is not read to its end
	} {
		o := patient.Send(t.Context(), to(server.URL+path), delivery())
		if o.Status != want.Status || o.Problem != want.Problem || o.At.IsZero() {
			t.Errorf("%s: %+v", path, o)
		}
	}
	if o := hasty.Send(t.Context(), to(server.URL+"/hangs"), delivery()); o.Problem != webhook.Timeout {
		t.Errorf("it hangs: %+v", o)
	}
	if followed {
		t.Error("a redirect was followed")
	}
	server.Close()
	if o := patient.Send(t.Context(), to(server.URL), delivery()); o.Problem != webhook.Connection {
		t.Errorf("nobody is there: %+v", o)
	}
}

func TestNothingIsConnectedToThatIsNotPublic(t *testing.T) {
	heard := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard = true }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	s := New(Options{Roots: roots})
	// As of addresses that were written down while private ones were allowed, and of names that led elsewhere then.
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0", "[::]", "127.1",
		"2130706433"} {
		if o := s.Send(t.Context(), to("https://"+net.JoinHostPort(strings.Trim(host, "[]"), port)),
			delivery()); o.Problem != webhook.Address && o.Problem != webhook.Connection || heard {
			t.Errorf("%s: %+v, heard: %v", host, o, heard)
		}
	}
	// The name is judged when it is connected to: the check sees the address that the resolver has given.
	judged := []netip.Addr{}
	transport := Options{Roots: roots, Patience: time.Minute}.transport(func(a netip.Addr) bool {
		judged = append(judged, a)
		return webhook.Public(a)
	})
	client := http.Client{Transport: transport}
	if _, err := client.Get("https://localhost:" + port); err == nil ||
		!strings.Contains(err.Error(), errAddress.Error()) || len(judged) == 0 || heard {
		t.Errorf("a name of a private address: %v, judged %v", err, judged)
	}
	for _, a := range judged {
		if !a.Unmap().IsLoopback() {
			t.Errorf("judged %s", a)
		}
	}
	// http is for this machine alone, whatever the operator allows.
	own := New(Options{Private: true})
	u := "http://10.0.0.1:" + port
	w := to(u)
	if o := own.Send(t.Context(), w, delivery()); o.Problem != webhook.Address {
		t.Errorf("%s: %+v", u, o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := s.Send(ctx, to("https://receiver.invalid"), delivery()); o.Problem == webhook.None {
		t.Errorf("%+v", o)
	}
}
