package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// asked is a list that one caller asks for.
type asked struct {
	name   string
	path   string             // with a limit; the page at half of the total is asked for too
	none   bool               // nothing is to be found
	other  func(n int) string // a path that no earlier request had; path is empty then
	offset int                // of those
	goal   float64            // times the time of the first page of captures
}

// lists measures searches of captures and lists of athletes, as one caller meets them, at ten
// thousand and at as many as the other data sets have; at ten million with BENCH_LARGE=1.
func (b *bench) lists(engine string, c *cluster) error {
	sizes := []int{10_000, b.captures}
	if os.Getenv("BENCH_LARGE") != "" {
		sizes = append(sizes, 10_000_000)
	}
	for _, n := range sizes {
		if err := b.listsOf(engine, n, c); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) listsOf(engine string, n int, c *cluster) (err error) {
	// The largest organization, which is asked, has 60 % of the captures.
	searches := fmt.Sprintf("%s: q of %s captures", engine, thousands(int64(n*6/10)))
	athletes := fmt.Sprintf("%s: GET /athletes of %s", engine, thousands(int64(n)))
	if !b.wanted(searches) && !b.wanted(athletes) {
		return nil
	}
	d, err := get(b.ctx, shape{name: "spread", captures: n, times: fixture.Spread}, c, b.say)
	if err != nil {
		return err
	}
	s, err := b.server(d, portKinebase, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	if b.wanted(searches) {
		if err := b.inTurn(searches, s, s, searchesOf(d.largest())); err != nil {
			return err
		}
		changes := fmt.Sprintf("%s, %d captures a second change", searches, changing)
		if _, err := s.tell("change %d", changing); err != nil {
			return err
		}
		err := b.inTurn(changes, s, s, searchesOf(d.largest()))
		_, rest := s.tell("rest")
		if err := errors.Join(err, rest); err != nil {
			return err
		}
	}
	if !b.wanted(athletes) {
		return nil
	}
	people, err := get(b.ctx, shape{name: "athletes", athletes: n}, c, b.say)
	if err != nil {
		return err
	}
	p, err := b.server(people, portKinebase, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	return b.inTurn(athletes, p, s, athletesOf(people.largest()))
}

// searchesOf are texts that one capture has, one in some thousands, most, and none, a letter
// and a name, again and again; and each time another text.
func searchesOf(o fixture.Organization) []asked {
	r := rand.New(rand.NewPCG(9, 10))
	middle := o.CaptureID(o.Captures / 2)
	list := []asked{
		{name: "one match", path: middle}, {name: "few match", path: middle[33:]}, {name: "a label", path: "jump"},
		{name: "none match", path: "no such text", none: true}, {name: "one letter", path: "e"},
		{name: "a name", path: o.Athlete(o.Athletes / 2).FirstName},
		{name: "cold: one match", other: func(int) string { return o.CaptureID(r.IntN(o.Captures)) }},
		{name: "cold: none match", other: func(n int) string { return fmt.Sprintf("absent%d", n) }},
		{name: "cold: one letter",
			other: func(n int) string { return string("0123456789abcdefghijklmnopqrstuvwxyz-_"[n%38]) }},
		{name: "cold: two digits", other: func(n int) string { return fmt.Sprintf("%02x", n*7%256) }},
		{name: "cold: two digits, offset 5,000", other: func(n int) string { return fmt.Sprintf("%02x", n*11%256) },
			offset: 5000},
		{name: "cold: three digits", other: func(n int) string { return fmt.Sprintf("%03x", n*7%4096) }},
		{name: "cold: three digits, offset 1,000", other: func(n int) string { return fmt.Sprintf("%03x", n*11%4096) },
			offset: 1000},
		{name: "cold: four digits", other: func(n int) string { return fmt.Sprintf("%04x", n*7919%65536) }},
		{name: "cold: a first name, offset 5,000",
			other: func(n int) string { return o.Athlete(n % o.Athletes).FirstName }, offset: 5000},
		{name: "cold: a name", other: func(n int) string {
			a := o.Athlete(n % o.Athletes)
			return a.FirstName + " " + a.LastName
		}},
	}
	for i := range list {
		list[i].goal = 5
		if other := list[i].other; other != nil {
			offset := min(list[i].offset, o.Captures/100)
			list[i].other = func(n int) string {
				return fmt.Sprintf("/v1/captures?limit=100&offset=%d&q=%s", offset, url.QueryEscape(other(n)))
			}
		} else {
			list[i].path = "/v1/captures?limit=100&q=" + url.QueryEscape(list[i].path)
		}
	}
	return list
}

// athletesOf are the orders, searches and attributes of a list of athletes.
func athletesOf(o fixture.Organization) []asked {
	a := o.Athlete(o.Athletes / 2)
	list := []asked{{name: "all"}}
	for _, by := range []string{"first_name", "last_name", "date_of_birth", "created_at"} {
		list = append(list, asked{name: "by " + by, path: "&sorted_by=" + by})
	}
	list = append(list, asked{name: "q of one letter", path: "&q=a"},
		asked{name: "q of a name", path: "&q=" + url.QueryEscape(a.FirstName+" "+a.LastName)},
		asked{name: "q of none", path: "&q=no+such+text", none: true},
		asked{name: "an attribute", path: "&team=Team+7"},
		asked{name: "an attribute, by date_of_birth", path: "&team=Team+7&sorted_by=date_of_birth"})
	for i := range list {
		list[i].path, list[i].goal = "/v1/athletes?limit=100"+list[i].path, 3
	}
	return append(list,
		asked{name: "cold: q of none",
			other: func(n int) string { return fmt.Sprintf("/v1/athletes?limit=100&q=absent%d", n) }, goal: 3},
		asked{name: "cold: q of one",
			other: func(n int) string { return fmt.Sprintf("/v1/athletes?limit=100&q=.%d@", n*3) }, goal: 3},
		asked{name: "cold: q of one letter, offset 50,000", other: func(n int) string {
			return fmt.Sprintf("/v1/athletes?limit=100&offset=%d&q=%c", min(50_000, o.Athletes/20),
				"abdefghijklmnoprstuvwxyz0123456789.@"[n%36])
		}, goal: 3},
		asked{name: "cold: q of two letters, by date_of_birth", other: func(n int) string {
			name := o.Athlete(n).LastName // in which two letters change with n
			return "/v1/athletes?limit=100&sorted_by=date_of_birth&q=" +
				url.QueryEscape(string([]rune(name)[n%2:n%2+2]))
		}, goal: 3},
		asked{name: "cold: q of a name", other: func(n int) string {
			a := o.Athlete(n % o.Athletes)
			return "/v1/athletes?limit=100&q=" + url.QueryEscape(a.FirstName+" "+a.LastName)
		}, goal: 3},
		asked{name: "cold: an attribute",
			other: func(n int) string { return fmt.Sprintf("/v1/athletes?limit=100&squad_number=%d", n%99) }, goal: 3})
}

type listBody struct {
	Captures, Athletes []json.RawMessage
	Total              int `json:"total_count"`
}

// halves adds the page in the middle of each list that has more than one, and sees that all of
// them have the rows that they should have: an empty page is quick, and says nothing.
func halves(s *server, list []asked) ([]asked, error) {
	var more []asked
	full := func(a asked, offset int) (total int, err error) {
		raw, err := read(s, a.path)
		if err != nil {
			return 0, err
		}
		var p listBody
		if err := json.Unmarshal(raw, &p); err != nil {
			return 0, err
		}
		rows := len(p.Captures) + len(p.Athletes)
		if a.none != (p.Total == 0) || rows < min(100, p.Total-offset) {
			return 0, fmt.Errorf("%s has %d rows of %d", a.path, rows, p.Total)
		}
		return p.Total, nil
	}
	for _, a := range list {
		if a.other != nil {
			more = append(more, a)
			continue
		}
		total, err := full(a, 0)
		if err != nil {
			return nil, err
		}
		a.name = fmt.Sprintf("%s (%s)", a.name, thousands(int64(total)))
		more = append(more, a)
		if total < 200 {
			continue
		}
		a.name, a.path = a.name+", offset 50 %", fmt.Sprintf("%s&offset=%d", a.path, total/2)
		if _, err := full(a, total/2); err != nil {
			return nil, err
		}
		more = append(more, a)
	}
	return more, nil
}

// inTurn asks for all of them in turn, and for the first page of captures in between. What is
// asked for once before anything is measured has a line of its own: the server reads then what
// it holds in memory.
func (b *bench) inTurn(operation string, s, captures *server, list []asked) error {
	began, err := ask(s, list[0].path)
	if err != nil {
		return err
	}
	b.add(row{operation: operation + ", " + list[0].name + ", first of all",
		ours: milliseconds(float64(began.Microseconds()) / 1000)})
	if list, err = halves(s, list); err != nil {
		return err
	}
	took := make([][]float64, len(list)+1)
	for n := range 1 + b.rounds*b.seconds*4 {
		b.asks++
		for i := range took {
			from, path := captures, "/v1/captures?limit=100"
			if i > 0 {
				from, path = s, list[i-1].path
				if list[i-1].other != nil {
					path = list[i-1].other(b.asks)
				}
			}
			one, err := ask(from, path)
			if err != nil {
				return err
			}
			if n > 0 {
				took[i] = append(took[i], float64(one.Microseconds())/1000)
			}
		}
	}
	first := median(took[0])
	for i, l := range list {
		b.times(operation+", "+l.name, median(took[i+1]), first, "first page of captures", l.goal)
	}
	return nil
}
