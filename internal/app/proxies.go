package app

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are those whose word on where a request came from counts.
type proxies []netip.Prefix

func (p proxies) trust(a netip.Addr) bool {
	return a.IsValid() && slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// before gives the handler the address of the client as that of the request: the last address in
// the chain of proxies that is not trusted. A trusted proxy appends the address that the request
// came from. Addresses to the left of one that is not trusted are written by that client, and are
// ignored.
func (p proxies) before(h http.Handler) http.Handler {
	if len(p) == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client, ok := p.client(r); ok {
			r2 := *r
			r2.RemoteAddr = net.JoinHostPort(client.String(), "0")
			r = &r2
		}
		h.ServeHTTP(w, r)
	})
}

// client gives the address of the client of a request that came through a trusted proxy.
func (p proxies) client(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	at := peer.Addr().Unmap().WithZone("")
	if err != nil || !p.trust(at) {
		return netip.Addr{}, false
	}
	hops := forwarded(r.Header["Forwarded"])
	if len(r.Header["Forwarded"]) == 0 {
		hops = split(r.Header["X-Forwarded-For"])
	}
	for _, hop := range slices.Backward(hops) {
		a, ok := hopAddress(hop)
		if !ok { // "unknown", a made-up name: the last proxy that is known has to do
			break
		}
		if at = a; !p.trust(a) {
			break
		}
	}
	return at, true
}

// split takes the parts of a list that may be spread over several fields.
func split(fields []string) (parts []string) {
	for _, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			parts = append(parts, strings.TrimSpace(part))
		}
	}
	return parts
}

// forwarded gives the "for" of each element of Forwarded (RFC 7239); "" for one that says nothing. Commas
// and semicolons in quotes are part of no address, so that an element with them says nothing either.
func forwarded(fields []string) (hops []string) {
	for _, element := range split(fields) {
		hop := ""
		for pair := range strings.SplitSeq(element, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if strings.EqualFold(name, "for") {
				hop = strings.Trim(value, `"`)
			}
		}
		hops = append(hops, hop)
	}
	return hops
}

// hopAddress reads 192.0.2.1, 192.0.2.1:80, 2001:db8::1, [2001:db8::1] and [2001:db8::1]:80.
func hopAddress(text string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		var with netip.AddrPort
		with, err = netip.ParseAddrPort(text)
		a = with.Addr()
	}
	return a.Unmap().WithZone(""), err == nil
}
