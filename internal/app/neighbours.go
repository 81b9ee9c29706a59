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

// role tells whether the database role that serves could lift the wall between
// organizations.
func (a *App) role(alone bool) {
	value := 0.0
	if alone {
		value = 1
		a.log.Warn("the database role that serves could turn row-level security off, the second wall between " +
			"organizations: it owns the tables, or may become a role that does. Give serving a role of its own; " +
			"docs/operate.md says how, under Two roles")
	}
	a.metrics.Gauge("kinebase_database_role_alone",
		"1 where the database role that serves could turn row-level security off.", func() float64 { return value })
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
