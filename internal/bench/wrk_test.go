package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// load is what wrk asks for: one of the paths at random, again and again.
type load struct {
	method  string
	paths   []string
	body    string
	callers int
}

// script has every request ready before the first is sent, so that wrk itself
// costs the same whatever is asked for.
const script = `
local number = 0
function setup(thread)
  number = number + 1
  thread:set("number", number)
end
function init(args)
  math.randomseed(tonumber(args[3]) * 1000 + number)
  wrk.headers["Authorization"] = "Bearer " .. args[2]
  if args[4] ~= "" then
    wrk.body = args[4]
    wrk.headers["Content-Type"] = "application/json"
  end
  ready = {}
  for path in io.lines(args[1]) do
    ready[#ready + 1] = wrk.format(args[5], path)
  end
end
function request()
  return ready[math.random(#ready)]
end
function done(summary, latency, requests)
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(99),
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout))
end
`

// measured is what a round gives, or the medians of several.
type measured struct {
	rate    float64       // requests a second
	p99     time.Duration // 0 where it is not known
	changed float64       // captures a second that changed meanwhile
}

func (m measured) String() string {
	s := perSecond(m.rate)
	if m.p99 > 0 {
		s += ", p99 " + milliseconds(float64(m.p99)/1e6)
	}
	if m.changed > 0 {
		s += ", " + figure(m.changed) + " changes/s"
	}
	return s
}

// wrk runs in a process of its own for so long.
func (b *bench) wrk(address, secret string, l load, seconds int) (measured, error) {
	dir, err := os.MkdirTemp("", "kb-wrk-")
	if err != nil {
		return measured{}, err
	}
	defer os.RemoveAll(dir)
	file, paths := filepath.Join(dir, "load.lua"), filepath.Join(dir, "paths")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return measured{}, err
	}
	if err := os.WriteFile(paths, []byte(strings.Join(l.paths, "\n")+"\n"), 0o600); err != nil {
		return measured{}, err
	}
	method := l.method
	if method == "" {
		method = "GET"
	}
	threads := min(2, l.callers)
	b.seed++
	cmd := exec.Command("wrk", "--threads", strconv.Itoa(threads), "--connections", strconv.Itoa(l.callers),
		"--duration", strconv.Itoa(seconds)+"s",
		"--timeout", "30s", "--script", file, "http://"+address, "--", paths, secret, strconv.Itoa(b.seed), l.body,
		method)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return measured{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	_, raw, ok := strings.Cut(string(out), "RESULT ")
	if !ok {
		return measured{}, fmt.Errorf("wrk gave no result:\n%s", out)
	}
	var r struct{ Requests, Microseconds, P99, Failed int64 }
	if err := json.Unmarshal([]byte(raw), &r); err != nil {
		return measured{}, err
	}
	if r.Failed > 0 || r.Requests == 0 {
		return measured{}, fmt.Errorf("%d of %d requests failed (%s %s …)", r.Failed, r.Requests, method, l.paths[0])
	}
	return measured{rate: float64(r.Requests) / (float64(r.Microseconds) / 1e6),
		p99: time.Duration(r.P99) * time.Microsecond}, nil
}
