package app

import (
	"github.com/kinebase/kinebase/internal/auditstream"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/limit"
	"github.com/kinebase/kinebase/person"
)

// Configure reads the settings of a server: flags by their names without dashes,
// then the environment, then the defaults. All faults come at once, as
// config.Faults.
func Configure(flags map[string]string, env func(string) (string, bool)) (config.Config, error) {
	return config.Load(config.Source{Flags: flags, Env: env, Rate: func(s string) error {
		_, err := limit.ParseRate(s)
		return err
	}, AuditStream: func(s string) error {
		_, err := auditstream.Open(s)
		return err
	}, Roles: func(s string) error {
		_, err := person.ParseRoles(s)
		return err
	}})
}
