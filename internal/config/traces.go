package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Traces say where traces are sent, by the standard variables of OpenTelemetry.
type Traces struct {
	Endpoint      URL // a collector's, below which traces have a path of their own
	TraceEndpoint URL // the whole address, which counts before it
	Headers       Secret
	Protocol      string
	Exporter      string
	Disabled      string
}

// Address is where traces are sent; "" when none are.
func (t Traces) Address() string {
	switch {
	case strings.EqualFold(t.Disabled, "true") || t.Exporter == "none":
		return ""
	case t.TraceEndpoint.Set():
		return t.TraceEndpoint.Reveal()
	case t.Endpoint.Set():
		return strings.TrimSuffix(t.Endpoint.Reveal(), "/") + "/v1/traces"
	}
	return ""
}

// Fields are the headers of each request.
func (t Traces) Fields() (map[string]string, error) {
	fields := map[string]string{}
	for pair := range strings.SplitSeq(t.Headers.Reveal(), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil || strings.ContainsAny(name+plain, "\r\n") {
			return nil, errors.New("must look like NAME=VALUE,NAME=VALUE")
		}
		fields[name] = plain
	}
	return fields, nil
}

// traceSettings are named by OpenTelemetry, not by us.
var traceSettings = []Setting{
	{
		Variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
		Meaning: "A collector of OpenTelemetry that traces are sent to, by OTLP over HTTP, below `/v1/traces`: " +
			"`http://127.0.0.1:4318`. Without this and the next one there are no traces, and they cost nothing; see " +
			"[Traces](metrics.md#traces).",
		fallback: constant(""),
		set:      setCollector(func(c *Config) *URL { return &c.Traces.Endpoint }),
		get:      func(c Config) string { return c.Traces.Endpoint.String() },
	},
	{
		Variable: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
		Meaning:  "The same as a whole address, `https://traces.example.org/v1/traces`, which counts before it.",
		fallback: constant(""),
		set:      setCollector(func(c *Config) *URL { return &c.Traces.TraceEndpoint }),
		get:      func(c Config) string { return c.Traces.TraceEndpoint.String() },
	},
	{
		Variable: "OTEL_EXPORTER_OTLP_HEADERS",
		Meaning: "Headers of each request to the collector, such as `Authorization=Bearer%20SECRET`. They are " +
			"never shown.",
		fallback: constant(""),
		set: func(c *Config, value string, _ Source) error {
			c.Traces.Headers = Secret{value}
			_, err := c.Traces.Fields()
			return err
		}, get: func(c Config) string { return c.Traces.Headers.String() },
	},
	{
		Variable: "OTEL_EXPORTER_OTLP_PROTOCOL", Default: "http/protobuf",
		Meaning:  "How traces are sent. There is one way.",
		fallback: constant("http/protobuf"),
		set:      setOnly(func(c *Config) *string { return &c.Traces.Protocol }, "http/protobuf"),
		get:      func(c Config) string { return c.Traces.Protocol },
	},
	{
		Variable: "OTEL_TRACES_EXPORTER", Default: "otlp",
		Meaning:  "`none` turns traces off.",
		fallback: constant("otlp"),
		set:      setOnly(func(c *Config) *string { return &c.Traces.Exporter }, "otlp", "none"),
		get:      func(c Config) string { return c.Traces.Exporter },
	},
	{
		Variable: "OTEL_SDK_DISABLED", Default: "false",
		Meaning:  "`true` turns traces off.",
		fallback: constant("false"),
		set:      setText(func(c *Config) *string { return &c.Traces.Disabled }),
		get:      func(c Config) string { return c.Traces.Disabled },
	},
}

func setCollector(field func(*Config) *URL) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = URL{value}
		if value == "" {
			return nil
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" {
			return errors.New("must look like http://HOST:4318")
		}
		return nil
	}
}

func setOnly(field func(*Config) *string, of ...string) func(*Config, string, Source) error {
	return func(c *Config, value string, _ Source) error {
		*field(c) = value
		for _, one := range of {
			if value == one {
				return nil
			}
		}
		return fmt.Errorf("must be %s, not %q", strings.Join(of, " or "), value)
	}
}
