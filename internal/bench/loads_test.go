package bench

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// callers is how many ask at once where nothing else is said.
const callers = 64

// ids asks for 20,000 captures of all ages.
func ids(o fixture.Organization) load {
	r := rand.New(rand.NewPCG(3, 4))
	l := load{callers: callers}
	for range 20_000 {
		l.paths = append(l.paths, "/v1/captures/"+o.CaptureID(r.IntN(o.Captures)))
	}
	return l
}

// firstPage asks for the same page every time.
func firstPage() load { return load{callers: callers, paths: []string{"/v1/captures"}} }

// spreadOffsets is how far apart the offsets of one load lie: hardly two
// requests in flight are the same, so that none is answered by another's work.
const spreadOffsets = 2_000

// pages asks for pages of 100 that begin at the offset or a little after it.
func pages(offset int) load {
	r := rand.New(rand.NewPCG(5, 6))
	l := load{callers: callers}
	for range 4_000 {
		l.paths = append(l.paths, fmt.Sprintf("/v1/captures?limit=100&offset=%d", offset+r.IntN(spreadOffsets)))
	}
	return l
}

// by gives the same load with another number of callers, who wait for each
// answer however long it takes.
func (l load) by(callers int) load {
	l.callers = callers
	return l
}

// mixed asks for a bit of everything, as what a server needs at the most is
// measured under all of it.
func mixed(o fixture.Organization, deep int) load {
	l := ids(o)
	l.paths = append(l.paths[:4_000], pages(0).paths...)
	l.paths = append(l.paths, pages(deep).paths...)
	all := filters()
	for i := range 4_000 {
		l.paths = append(l.paths, fmt.Sprintf("/v1/captures?%slimit=500&offset=%d", all[i%len(all)].query, i*10))
	}
	return l
}

// newAthletes creates one athlete after the other.
func newAthletes() load {
	return load{callers: callers, method: "POST", paths: []string{"/v1/athletes"},
		body: `{"first_name":"Ada","last_name":"Lindqvist","date_of_birth":"1999-05-13","height":68,"weight":150}`}
}

// filter is one of the sets of filters that the interface allows.
type filter struct{ name, query string }

// filters gives the 15 sets of source, status, activity and movement, each with
// values that most captures have and with values that few have.
func filters() []filter {
	var list []filter
	for _, values := range [][4]string{
		{"api", "completed", "jump", "countermovement"},
		{"api", "awaiting_upload", "track_and_field", "shot_put"},
	} {
		for set := 1; set < 16; set++ {
			var names []string
			q := url.Values{}
			for i, name := range []string{"source", "status", "activity", "movement"} {
				if set>>i&1 == 1 {
					q.Set(name, values[i])
					names = append(names, name+"="+values[i])
				}
			}
			if f := (filter{strings.Join(names, " "), q.Encode() + "&"}); len(list) == 0 || !known(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

func known(list []filter, f filter) bool {
	for _, k := range list {
		if k == f {
			return true
		}
	}
	return false
}
