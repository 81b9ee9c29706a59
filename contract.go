// Package kinebase holds what the whole of Kinebase is measured by: the
// interface document. Programs that want to talk to a server use package
// client; programs that want to check one use this document.
package kinebase

import _ "embed"

// OpenAPI is openapi.yaml, an OpenAPI 3.1 document in YAML. Nobody may change
// the bytes.
//
//go:embed openapi.yaml
var OpenAPI []byte
