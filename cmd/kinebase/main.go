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
	// The first signal asks for a graceful end. From before anybody hears of it, the
	// second one has its ordinary effect and ends the process at once.
	ctx, end := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		end()
	}()
	os.Exit(cli.Main(ctx, os.Args[1:], cli.Outside()))
}
