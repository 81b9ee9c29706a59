package webhooks

import (
	"context"
	"crypto/x509"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/kinebase/kinebase/webhook"
)

// names is a DNS server whose answer for any name can be another one at each question.
type names struct {
	*testing.T
	conn net.PacketConn

	lock   sync.Mutex
	answer func() []netip.Addr
	given  []netip.Addr // all addresses that were answered
}

func serveNames(t *testing.T) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{T: t, conn: conn}
	done := make(chan struct{})
	go n.serve(done)
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return n
}

// resolver asks this server alone.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", n.conn.LocalAddr().String())
	}}
}

func (n *names) serve(done chan<- struct{}) {
	defer close(done)
	room := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(room)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if err := m.Unpack(room[:size]); err != nil {
			n.Errorf("a question is not understood: %v", err)
			return
		}
		n.reply(&m)
		packed, err := m.Pack()
		if err == nil {
			_, err = n.conn.WriteTo(packed, from)
		}
		if err != nil {
			n.Errorf("no answer is sent: %v", err)
			return
		}
	}
}

func (n *names) reply(m *dnsmessage.Message) {
	n.lock.Lock()
	defer n.lock.Unlock()
	q := m.Questions[0]
	m.Header, m.Additionals = dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true}, nil
	head := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class} // a life of 0 s: it may be kept by nobody
	for _, a := range n.answer() {
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head,
				Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		default:
			continue
		}
		n.given = append(n.given, a)
	}
}

// TestANameThatLeadsElsewhereAtEachLookUpLeadsToNoPrivateAddress changes what a name means between any two questions,
// as a receiver does whose name is judged first and connected to after that.
func TestANameThatLeadsElsewhereAtEachLookUpLeadsToNoPrivateAddress(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	heard := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard = true }))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	private := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1"),
		netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("::ffff:127.0.0.1"),
		netip.MustParseAddr("64:ff9b::7f00:1"), netip.MustParseAddr("0.0.0.0")}
	public := []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("2001:4860:4860::8888")}
	dns := serveNames(t)
	dns.answer = func() (a []netip.Addr) {
		for range 1 + chance.IntN(3) {
			from := [][]netip.Addr{private, public}[chance.IntN(2)]
			a = append(a, from[chance.IntN(len(from))])
		}
		return a
	}
	var lock sync.Mutex
	var judged []netip.Addr
	o := Options{Roots: roots, Patience: time.Minute, Resolver: dns.resolver()}
	refused, passed := 0, 0
	transport := o.transport(func(a netip.Addr) bool {
		lock.Lock()
		defer lock.Unlock()
		judged = append(judged, a)
		if webhook.Public(a) {
			passed++
			return false // it would be connected to: the test leaves this machine alone
		}
		refused++
		return false
	})
	defer transport.CloseIdleConnections()
	for range 200 {
		dns.lock.Lock()
		lock.Lock()
		dns.given, judged = nil, nil
		lock.Unlock()
		dns.lock.Unlock()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://receiver.example:"+port, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := transport.RoundTrip(r); err == nil {
			_ = answer.Body.Close()
			t.Fatalf("a receiver at %v was connected to", judged)
		}
		// Each address that is connected to was judged, and is one of the only look-up.
		dns.lock.Lock()
		lock.Lock()
		for _, a := range judged {
			if !slices.ContainsFunc(dns.given, func(g netip.Addr) bool { return g.Unmap() == a.Unmap() }) {
				t.Fatalf("%v was judged, of a look-up that gave %v", a, dns.given)
			}
		}
		lock.Unlock()
		dns.lock.Unlock()
	}
	if heard || refused == 0 || passed == 0 {
		t.Errorf("heard: %v, refused %d, passed %d", heard, refused, passed)
	}

	// And as the sender is used: judged as public when it was written down, private when it is connected to.
	s := New(o)
	defer func() { _ = s.Close() }()
	for _, a := range private {
		dns.lock.Lock()
		dns.answer = func() []netip.Addr { return []netip.Addr{a} }
		dns.lock.Unlock()
		got := s.Send(t.Context(), to("https://receiver.example:"+port), delivery())
		if got.Problem != webhook.Address || heard {
			t.Errorf("a name that now leads to %v: %+v, heard: %v", a, got, heard)
		}
	}
}
