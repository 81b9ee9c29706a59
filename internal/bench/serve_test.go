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
	"sync"
	"sync/atomic"
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
	s, err := store.Open(ctx, store.Options{Data: j.Data, DatabaseURL: j.URL, AnswerBytes: j.Answers, Ahead: true})
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
		Tokens: s, Athletes: athletes, Captures: captures, Exports: s, Feed: s, UploadKey: make([]byte, 32),
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
	_, _ = o.stopChanging()
	_ = server.Close()
	<-served
	return s.Close()
}

// orders are what a server is told between measurements.
type orders struct {
	store        *store.Store
	organization fixture.Organization
	stop         func() (int64, error)
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
		changed, err := o.stopChanging()
		return strconv.FormatInt(changed, 10), err
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
// transaction of its own, as processing does. One that takes long does not hold
// up the next: the rate is kept.
func (o *orders) startChanging(rate int) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	var changed atomic.Int64
	var failure atomic.Pointer[error]
	wait.Go(func() {
		r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
		begun := time.Now()
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		for made := 0; ; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			for ; float64(made) < time.Since(begun).Seconds()*float64(rate); made++ {
				c := o.organization.Capture(r.IntN(o.organization.Captures))
				// A status and a reason that nobody has: it is a change every time.
				e := fmt.Sprintf("changed %d", r.Uint32())
				c.Status, c.Error = capture.Error, &e
				wait.Go(func() {
					_, err := o.store.Import(context.WithoutCancel(ctx), organization.In(o.organization.ID),
						[]manifest.Record{{Capture: &c}}, false)
					if err != nil {
						failure.Store(&err)
						return
					}
					if ctx.Err() == nil {
						changed.Add(1)
					}
				})
			}
		}
	})
	o.stop = func() (int64, error) {
		cancel()
		wait.Wait()
		if err := failure.Load(); err != nil {
			return 0, *err
		}
		return changed.Load(), nil
	}
}

func (o *orders) stopChanging() (changed int64, err error) {
	if o.stop != nil {
		changed, err = o.stop()
		o.stop = nil
	}
	return changed, err
}

// constant answers the bytes that the store gave once, whatever is asked for.
type constant struct {
	capture.Store // what no load asks for

	one, page capture.Answer
}

func newConstant(ctx context.Context, s *store.Store, o fixture.Organization) (*constant, error) {
	scope := organization.In(o.ID)
	one, err := s.Capture(ctx, scope, o.CaptureID(o.Captures/2), 0)
	if err != nil {
		return nil, err
	}
	page, err := s.Captures(ctx, scope, capture.Query{Limit: 100})
	return &constant{one: one, page: page}, err
}

func (c *constant) Capture(context.Context, organization.Scope, string, capture.Include) (capture.Answer, error) {
	return c.one, nil
}

func (c *constant) Captures(context.Context, organization.Scope, capture.Query) (capture.Answer, error) {
	return c.page, nil
}
