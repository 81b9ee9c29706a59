package cli

import (
	"time"

	"github.com/kinebase/kinebase/client"
)

// server is the server that flags name, or else the environment.
func (w *World) server(url, token string, options ...client.Option) (*client.Client, error) {
	for _, setting := range []struct {
		to                   *string
		flag, variable, what string
	}{{&url, "--url", "KINEBASE_URL", "server"}, {&token, "--token", "KINEBASE_TOKEN", "token"}} {
		if *setting.to == "" {
			*setting.to, _ = w.Env(setting.variable)
		}
		if *setting.to == "" {
			return nil, usage("no %s is given: set %s or use %s", setting.what, setting.variable, setting.flag)
		}
	}
	options = append(options, client.WithUserAgent("kinebase/"+Version()), client.WithRetry(10, time.Minute))
	server, err := client.New(url, token, options...)
	if err != nil {
		return nil, usage("the address of the server: %s", err)
	}
	return server, nil
}
