package webhook

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// longestURL bounds the address of a receiver.
const longestURL = 2048

// ParseURL checks the address of a receiver. It is https; http is for receivers on the server's own machine,
// and only where the operator allows private addresses. Where the host is a name, its addresses are judged
// when they are connected to.
func ParseURL(raw string, private bool) (*url.URL, error) {
	refuse := func(why string) (*url.URL, error) { return nil, fault.New(fault.BadRequest, "%s", "url "+why) }
	if raw == "" || len(raw) > longestURL ||
		strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return refuse("must be 1 to 2048 printable ASCII characters, without blanks; other characters of a host are " +
			"written as xn--…, those of a path as %XX")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "":
		return refuse("must be an address such as https://example.org/kinebase")
	case u.User != nil:
		return refuse("must not hold a name or password: deliveries are known by their signature")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return refuse("must not have a fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return refuse("must have a port of 1 to 65535")
		}
	}
	address, err := netip.ParseAddr(u.Hostname())
	number := err == nil
	local := number && address.Unmap().IsLoopback() || strings.EqualFold(u.Hostname(), "localhost")
	switch {
	case u.Scheme == "http" && !(local && private):
		return refuse("must begin with https://; http:// is for receivers on the server's own machine, where its " +
			"operator has set KINEBASE_WEBHOOK_PRIVATE=on")
	case number && !private && !Public(address), !private && local:
		return refuse("must not be an address that is not public; the server's operator can allow it with " +
			"KINEBASE_WEBHOOK_PRIVATE=on")
	}
	return u, nil
}

// prefixes reads networks.
func prefixes(texts ...string) (all []netip.Prefix) {
	for _, t := range texts {
		all = append(all, netip.MustParsePrefix(t))
	}
	return all
}

// Networks that are not the public one, of RFC 6890 and the registries that it began, and addresses in the
// public one at which providers of machines answer these machines alone.
var (
	notPublic4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32",
		"169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")
	global6    = netip.MustParsePrefix("2000::/3")
	notPublic6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
	// translated are the networks in which the last four bytes are an address of version 4.
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

// Public says whether an address is one of the public network, whatever it is wrapped in.
func Public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if translated.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	bad := notPublic4
	if !a.Is4() {
		if !global6.Contains(a) {
			return false
		}
		bad = notPublic6
	}
	for _, p := range bad {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsValid()
}
