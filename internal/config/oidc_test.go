package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/config"
)

func TestSignInNeedsAllOfItsSettings(t *testing.T) {
	whole := map[string]string{"OIDC_ISSUER": "https://login.example", "OIDC_CLIENT_ID": "kinebase",
		"OIDC_ROLE_MAP": "a=admin", "PUBLIC_URL": "https://kb.example"}
	for what, c := range map[string]struct {
		change map[string]string
		fault  string
	}{
		"everything": {nil, ""},
		"an audience alone": {map[string]string{"OIDC_CLIENT_ID": "", "PUBLIC_URL": "", "OIDC_AUDIENCE": "api"},
			""},
		"no issuer":            {map[string]string{"OIDC_ISSUER": ""}, "KINEBASE_OIDC_ISSUER"},
		"an issuer by http":    {map[string]string{"OIDC_ISSUER": "http://login.example"}, "KINEBASE_OIDC_ISSUER"},
		"this machine by http": {map[string]string{"OIDC_ISSUER": "http://127.0.0.1:5556/dex"}, ""},
		"an issuer with a query": {map[string]string{"OIDC_ISSUER": "https://login.example?a=b"},
			"KINEBASE_OIDC_ISSUER"},
		"nobody who could": {map[string]string{"OIDC_CLIENT_ID": ""}, "KINEBASE_OIDC_CLIENT_ID"},
		"no address":       {map[string]string{"PUBLIC_URL": ""}, "KINEBASE_PUBLIC_URL"},
		"no roles":         {map[string]string{"OIDC_ROLE_MAP": ""}, "KINEBASE_OIDC_ROLE_MAP"},
		"wrong roles":      {map[string]string{"OIDC_ROLE_MAP": "wrong"}, "KINEBASE_OIDC_ROLE_MAP"},
		"a file that is not": {map[string]string{"OIDC_CLIENT_SECRET_FILE": "/nowhere"},
			"KINEBASE_OIDC_CLIENT_SECRET_FILE"},
	} {
		vars := map[string]string{"KINEBASE_DATA": "/data"}
		for _, values := range []map[string]string{whole, c.change} {
			for name, value := range values {
				vars["KINEBASE_"+name] = value
			}
		}
		_, err := config.Load(config.Source{Env: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
			Roles: func(s string) error {
				if s == "wrong" {
					return errors.New("are wrong")
				}
				return nil
			}})
		var faults config.Faults
		_ = errors.As(err, &faults)
		switch {
		case c.fault == "" && err != nil:
			t.Errorf("with %s: %v", what, err)
		case c.fault != "" && (len(faults) != 1 || faults[0].Setting != c.fault):
			t.Errorf("with %s the faults are %v, want one of %s", what, err, c.fault)
		}
	}
}

func TestTheSecretOfSignInMayBeInAFileAndIsNotShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("hush-hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"KINEBASE_OIDC_ISSUER": "https://login.example", "KINEBASE_OIDC_CLIENT_ID": "k",
		"KINEBASE_OIDC_ROLE_MAP": "a=admin", "KINEBASE_PUBLIC_URL": "https://kb.example",
		"KINEBASE_DATA": "/data", "KINEBASE_OIDC_CLIENT_SECRET_FILE": file}
	c := load(t, config.Source{Env: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }})
	if c.OIDC.ClientSecret.Reveal() != "hush-hush" || strings.Contains(c.String(), "hush-hush") {
		t.Errorf("the secret is %q, and shown: %s", c.OIDC.ClientSecret.Reveal(), c)
	}
	vars["KINEBASE_OIDC_CLIENT_SECRET"] = "another"
	if _, err := config.Load(
		config.Source{Env: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }}); err == nil {
		t.Error("two secrets are taken")
	}
}
