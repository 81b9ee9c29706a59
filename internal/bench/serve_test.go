package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// serve is a whole server: the store for tokens and, unless another port was
// asked for, everything else, behind the handlers that people's servers have.
func (j job) serve() error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Data: j.Data, DatabaseURL: j.URL, AnswerBytes: j.Answers})
	if err != nil {
		return err
	}
	var captures capture.Store = s
	var athletes athlete.Store = s
	switch j.Port {
	case portConstant:
		if captures, err = newConstant(ctx, s, j.Organization); err != nil {
			return err
		}
	case portObvious:
		o, err := openObvious(ctx, j.Tables, j.TablesURL)
		if err != nil {
			return err
		}
		defer o.close()
		captures, athletes = o, obviousAthletes{s, o}
	}
	level := slog.LevelWarn
	if j.LogLevel != "" {
		if err := level.UnmarshalText([]byte(j.LogLevel)); err != nil {
			return err
		}
	}
	log := telemetry.NewLog(io.Discard, level, true)
	handler := httpapi.New(httpapi.Options{
		Tokens: s, Athletes: athletes, Captures: captures, Exports: s,
		Log: log, Observe: telemetry.NewMetrics("bench").Request,
	})
	server := httpapi.NewServer(handler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Println(listener.Addr())

	o := orders{store: s, organization: j.Organization}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer, err := o.obey(lines.Text())
		if err != nil {
			answer = "error " + err.Error()
		}
		fmt.Println(answer)
	}
	o.stopChanging()
	_ = server.Close()
	<-served
	return s.Close()
}

// orders are what a server is told between measurements.
type orders struct {
	store        *store.Store
	organization fixture.Organization
	stop         func() int
	profile      *os.File
}

func (o *orders) obey(line string) (string, error) {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "change": // so many captures a second
		rate, err := strconv.Atoi(rest)
		if err != nil {
			return "", err
		}
		o.startChanging(rate)
		return "ok", nil
	case "rest":
		return strconv.Itoa(o.stopChanging()), nil
	case "profile":
		f, err := os.Create(rest)
		if err != nil {
			return "", err
		}
		o.profile = f
		return "ok", pprof.StartCPUProfile(f)
	case "profiled":
		pprof.StopCPUProfile()
		return "ok", o.profile.Close()
	}
	return "", fmt.Errorf("what is %q?", line)
}

// startChanging begins to give captures of all ages another status, each in a
// transaction of its own, as processing does.
func (o *orders) startChanging(rate int) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int)
	go func() {
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		r := rand.New(rand.NewPCG(1, 2))
		changed := 0
		defer func() { done <- changed }()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			c := o.organization.Capture(r.IntN(o.organization.Captures))
			c.Status = capture.Statuses[r.IntN(len(capture.Statuses))]
			outcomes, err := o.store.Import(ctx, organization.Scope{Organization: o.organization.ID}, []manifest.Record{{Capture: &c}}, false)
			if err == nil && outcomes[0].Effect == manifest.Updated {
				changed++
			}
		}
	}()
	o.stop = func() int { cancel(); return <-done }
}

func (o *orders) stopChanging() (changed int) {
	if o.stop != nil {
		changed = o.stop()
		o.stop = nil
	}
	return changed
}

// constant answers the bytes that the store gave once, whatever is asked for.
type constant struct{ one, page capture.Answer }

func newConstant(ctx context.Context, s *store.Store, o fixture.Organization) (*constant, error) {
	scope := organization.Scope{Organization: o.ID}
	one, err := s.Capture(ctx, scope, o.CaptureID(o.Captures/2))
	if err != nil {
		return nil, err
	}
	page, err := s.Captures(ctx, scope, capture.Query{Limit: 100})
	return &constant{one, page}, err
}

func (c *constant) Capture(context.Context, organization.Scope, string) (capture.Answer, error) {
	return c.one, nil
}

func (c *constant) Captures(context.Context, organization.Scope, capture.Query) (capture.Answer, error) {
	return c.page, nil
}
