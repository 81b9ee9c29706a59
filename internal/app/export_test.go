package app

import "time"

// DrainWithin shortens how long a stop waits, before Run.
func DrainWithin(a *App, patience time.Duration) { a.patience = patience }
