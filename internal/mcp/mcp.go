// Package mcp lets an assistant ask a Kinebase server questions, by the Model Context Protocol
// (modelcontextprotocol.io): which athletes there are, what was recorded of them, what was
// measured. Its tools call the interface with one token and can do what that token can. None
// changes anything but start_export, which starts an export.
package mcp

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kinebase/kinebase/client"
)

// LargestAnswer is how many bytes of an answer of the server are read at most: far more than any that the
// tools ask for.
const LargestAnswer = 64 << 20

// instructions are what an assistant is told before it uses the tools.
const instructions = `Kinebase keeps motion captures: recorded movements of athletes, with events and metrics that were measured in them.
Begin with find_athletes where a person is named, and list_captures for what was recorded. For "the last five jumps" of somebody ask read_metrics with last 5.
A metric has a value with its unit, or "withheld" with the reason why there is none: say so, and never make up a value. describe_movement gives the published definition of each metric.
Times are UTC. Positions, angles and forces of single moments come from read_channels, whose statistics are taken over all frames, while its series is thinned out.`

// tools are the tools over one server.
type tools struct{ server *client.Client }

// New gives a server of the protocol over a Kinebase server, which is asked with the client's
// token. version is that of this program.
func New(server *client.Client, version string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "kinebase", Title: "Kinebase", Version: version},
		&mcp.ServerOptions{Instructions: instructions})
	t := &tools{server}
	add(s, "find_athletes", "Find athletes by a part of a name or of an e-mail address.", t.findAthletes)
	add(s, "list_captures", "List recorded captures, the newest first.", t.listCaptures)
	add(s, "read_capture", "Read what one capture holds: its labels, channels, events, metrics and warnings.",
		t.readCapture)
	add(s, "read_channels", "Read channels of a capture over time: the least, greatest and mean value of each column "+
		"over all frames, and a thinned series.", t.readChannels)
	add(s, "read_metrics", "Read the metrics of an athlete's latest captures, the newest first.", t.readMetrics)
	add(s, "describe_movement", "Give the definitions, units and sources of the events and metrics of movements.",
		t.describeMovement)
	add(s, "estimate_export", "Say how many captures and rows an export would hold. It starts none.", t.estimateExport)
	add(s, "export_status", "Say how far an export is.", t.exportStatus)
	mcp.AddTool(s, &mcp.Tool{
		Name: "start_export",
		Description: "Start an export of frames, or of a row for each capture with its metrics. Ask the user first. " +
			"The result is downloaded with the command that the answer names.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)},
	}, handler(t.startExport))
	return s
}

// Serve answers what comes from in, a message a line, until that ends or ctx does. A line that is no message
// is answered with an error.
func Serve(ctx context.Context, s *mcp.Server, in io.ReadCloser, out io.WriteCloser) error {
	to := &shared{WriteCloser: out}
	return s.Run(ctx, &mcp.IOTransport{Reader: newLines(in, to), Writer: to})
}

// add adds a tool that changes nothing.
func add[In, Out any](s *mcp.Server, name, description string, answer func(context.Context, In) (Out, error)) {
	mcp.AddTool(s, &mcp.Tool{
		Name: name, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)},
	}, handler(answer))
}

// handler answers with a result, or with an error as text, which an assistant can act on.
func handler[In, Out any](answer func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := answer(ctx, in)
		return nil, out, err
	}
}

// moment reads a time that an assistant has given; nil for "".
func moment(name, text string) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return &at, nil
		}
	}
	return nil, fmt.Errorf("%s must be a time such as 2026-05-01 or 2026-05-01T08:00:00Z, not %q", name, text)
}

// within reads the two ends of a range of time.
func within(from, to string) (first, end *time.Time, err error) {
	if first, err = moment("from", from); err != nil {
		return nil, nil, err
	}
	end, err = moment("to", to)
	return first, end, err
}

// atMost is how many are given where n were asked for: at least 1, and usual where n is 0.
func atMost(n, usual, most int) int {
	if n == 0 {
		n = usual
	}
	return min(max(1, n), most)
}
