package cli

import (
	"context"
	"errors"
	"io"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/mcp"
)

type mcpCmd struct {
	URL   string `name:"url" placeholder:"URL" help:"The server, such as http://127.0.0.1:8080/v1 (KINEBASE_URL)."`
	Token string `name:"token" placeholder:"TOKEN" help:"A token; the role viewer is enough for all but starting exports (KINEBASE_TOKEN)."`
}

// Run answers an assistant on standard input and output until the input ends.
func (c *mcpCmd) Run(ctx context.Context, w *World) error {
	server, err := w.server(c.URL, c.Token, client.WithLargestAnswer(mcp.LargestAnswer))
	if err != nil {
		return err
	}
	err = mcp.Serve(ctx, mcp.New(server, Version()), io.NopCloser(w.In), unclosed{w.Out})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// unclosed is a writer that is not this command's to close.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }
