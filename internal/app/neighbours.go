package app

// neighbour is a server beside this one that some requests need: the bucket, Redis. While
// it does not answer this server goes on without it, so /readyz names it and says ready.
type neighbour struct {
	name   string      // as /readyz and the metric name it
	silent func() bool // it does not answer
}

// watch has /readyz and the metrics tell of a neighbour.
func (a *App) watch(name, text string, silent func() bool) {
	a.neighbours = append(a.neighbours, neighbour{name, silent})
	a.measure(name, text, silent)
}

// measure has the metrics tell of a neighbour.
func (a *App) measure(name, text string, silent func() bool) {
	a.metrics.Gauge("kinebase_"+name+"_silent", "1 while "+text+" does not answer.", func() float64 {
		if silent() {
			return 1
		}
		return 0
	})
}
