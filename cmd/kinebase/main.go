// Kinebase serves motion captures and the athletes in them over HTTP.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kinebase/kinebase/internal/cli"
)

func main() {
	// The first signal asks for a graceful end; once it came, the second one has
	// its ordinary effect and ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Main(ctx, os.Args[1:], cli.Outside()))
}
