package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
)

// OIDC is an OpenID provider, and what this server is there.
type OIDC struct {
	Issuer            URL // without one nobody signs in by it
	ClientID          string
	ClientSecret      Secret
	SecretFile        string
	Scopes            []string
	OrganizationClaim string
	RoleClaim         string
	RoleMap           string // value=role, as person.ParseRoles reads it
	Audience          string // of access tokens; "": none are taken
}

// oidcSettings are those of sign-in by OpenID Connect.
var oidcSettings = []Setting{
	{
		Variable: "KINEBASE_OIDC_ISSUER",
		Meaning: "The OpenID provider that people sign in with, as it names itself in `iss`: " +
			"`https://login.example.org/realms/lab`; see [Sign-in](sign-in.md). `http://` is taken for this " +
			"machine alone.",
		fallback: constant(""),
		set:      setIssuer, get: func(c Config) string { return c.OIDC.Issuer.String() },
	},
	{
		Variable: "KINEBASE_OIDC_CLIENT_ID",
		Meaning: "What the provider calls this server. The console then has a button to sign in; it needs " +
			"`KINEBASE_PUBLIC_URL`, and `KINEBASE_PUBLIC_URL/console/sign-in/callback` as an allowed redirect URI at " +
			"the provider.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.OIDC.ClientID }),
		get:      func(c Config) string { return c.OIDC.ClientID },
	},
	{
		Variable: "KINEBASE_OIDC_CLIENT_SECRET",
		Meaning: "The secret of the client at the provider. It is never shown. Without it this server is a public " +
			"client, which proof keys (PKCE) protect as well.",
		fallback: constant(""),
		set:      func(c *Config, value string, _ Source) error { c.OIDC.ClientSecret = Secret{value}; return nil },
		get:      func(c Config) string { return c.OIDC.ClientSecret.String() },
	},
	{
		Variable: "KINEBASE_OIDC_CLIENT_SECRET_FILE",
		Meaning:  "A file with that secret in it, in its place.",
		fallback: constant(""),
		set:      setSecretFile, get: func(c Config) string { return c.OIDC.SecretFile },
	},
	{
		Variable: "KINEBASE_OIDC_SCOPES", Default: "openid,profile",
		Meaning: "The scopes that the provider is asked for, separated by commas: those that bring the two claims, " +
			"such as `openid,profile,groups`.",
		fallback: constant("openid,profile"),
		set:      func(c *Config, value string, _ Source) error { c.OIDC.Scopes = list(value); return nil },
		get:      func(c Config) string { return strings.Join(c.OIDC.Scopes, ",") },
	},
	{
		Variable: "KINEBASE_OIDC_ORGANIZATION_CLAIM", Default: "organization",
		Meaning: "The claim that holds the id or the name of the organization, as a text or a list of one. `a.b` is " +
			"the member `b` of the object `a`. People who have none are not let in.",
		fallback: constant("organization"),
		set:      setText(func(c *Config) *string { return &c.OIDC.OrganizationClaim }),
		get:      func(c Config) string { return c.OIDC.OrganizationClaim },
	},
	{
		Variable: "KINEBASE_OIDC_ROLE_CLAIM", Default: "roles",
		Meaning: "The claim that holds the values of `KINEBASE_OIDC_ROLE_MAP`, such as `groups` or " +
			"`realm_access.roles`.",
		fallback: constant("roles"),
		set:      setText(func(c *Config) *string { return &c.OIDC.RoleClaim }),
		get:      func(c Config) string { return c.OIDC.RoleClaim },
	},
	{
		Variable: "KINEBASE_OIDC_ROLE_MAP",
		Meaning: "Which value gives which role, separated by commas: " +
			"`lab-staff=editor,lab-heads=admin,lab-guests=viewer`. Of several roles everything counts. People " +
			"who have none are not let in.",
		fallback: constant(""),
		set:      setRoleMap, get: func(c Config) string { return c.OIDC.RoleMap },
	},
	{
		Variable: "KINEBASE_OIDC_AUDIENCE",
		Meaning: "What the provider calls the interface in `aud` of access tokens. The interface then takes them " +
			"beside its own tokens.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.OIDC.Audience }),
		get:      func(c Config) string { return c.OIDC.Audience },
	},
}

// loopback says whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func setIssuer(c *Config, value string, _ Source) error {
	c.OIDC.Issuer = URL{value}
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" &&
		!(u.Scheme == "http" && loopback(u.Hostname())) {
		return errors.New("must look like https://HOST/PATH; http:// is for this machine alone")
	}
	return nil
}

func setRoleMap(c *Config, value string, from Source) error {
	c.OIDC.RoleMap = value
	if value == "" || from.Roles == nil {
		return nil
	}
	return from.Roles(value)
}

func setSecretFile(c *Config, value string, _ Source) error {
	c.OIDC.SecretFile = value
	if value == "" {
		return nil
	}
	raw, err := os.ReadFile(value)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	text := strings.TrimSpace(string(raw))
	if text == "" {
		return errors.New("names an empty file")
	}
	if c.OIDC.ClientSecret.Set() {
		return errors.New("and KINEBASE_OIDC_CLIENT_SECRET are set: choose one")
	}
	c.OIDC.ClientSecret = Secret{text}
	return nil
}

// settleOIDC holds the settings of sign-in against each other.
func (c *Config) settleOIDC() (faults Faults) {
	o := c.OIDC
	needs := func(condition bool, variable, message string) {
		if condition {
			faults = append(faults, Fault{variable, message})
		}
	}
	if !o.Issuer.Set() {
		needs(o.ClientID != "" || o.ClientSecret.Set() || o.RoleMap != "" || o.Audience != "", "KINEBASE_OIDC_ISSUER",
			"must be set beside the other KINEBASE_OIDC settings")
		return faults
	}
	needs(o.ClientID == "" && o.Audience == "", "KINEBASE_OIDC_CLIENT_ID",
		"or KINEBASE_OIDC_AUDIENCE must be set beside KINEBASE_OIDC_ISSUER, or nobody can sign in")
	needs(o.ClientID != "" && !c.PublicURL.Set(), "KINEBASE_PUBLIC_URL",
		"must be set beside KINEBASE_OIDC_CLIENT_ID: the provider sends browsers back to it")
	needs(o.RoleMap == "", "KINEBASE_OIDC_ROLE_MAP", "must be set beside KINEBASE_OIDC_ISSUER, or nobody is let in")
	return faults
}
