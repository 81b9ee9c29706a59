package config

import (
	"fmt"
	"net/netip"
	"strings"
)

func setProxies(c *Config, value string, _ Source) error {
	c.TrustedProxies = nil
	for _, text := range list(value) {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			var one netip.Addr
			if one, err = netip.ParseAddr(text); err == nil {
				one = one.Unmap()
				network = netip.PrefixFrom(one, one.BitLen())
			}
		}
		if err != nil {
			return fmt.Errorf("must hold addresses and networks such as 10.0.0.0/8, not %q", text)
		}
		c.TrustedProxies = append(c.TrustedProxies, network.Masked())
	}
	return nil
}

func proxiesText(networks []netip.Prefix) string {
	var texts []string
	for _, n := range networks {
		texts = append(texts, n.String())
	}
	return strings.Join(texts, ",")
}
