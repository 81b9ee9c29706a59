package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// client keeps its connections.
var client = &http.Client{Timeout: 5 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 128}}

// ask gets a path and throws the body away; anything but 200 is an error.
func ask(s *server, path string) (time.Duration, error) {
	begun := time.Now()
	_, err := read(s, path)
	return time.Since(begun), err
}

func read(s *server, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+s.address+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.secret)
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s %s", path, answer.Status, body)
	}
	return body, err
}

// patient measures what takes so long that wrk's rounds would end in the middle
// of a request: each caller goes on for a second, but has two answers at least.
func patient(s *server, l load) (measured, error) {
	const atLeast = 2
	var answers atomic.Int64
	var wait sync.WaitGroup
	var failure atomic.Pointer[error]
	var slowest atomic.Int64
	begun := time.Now()
	for caller := range l.callers {
		wait.Go(func() {
			for i := 0; i < atLeast || time.Since(begun) < time.Second; i++ {
				took, err := ask(s, l.paths[(caller*1000+i)%len(l.paths)])
				if err != nil {
					failure.Store(&err)
					return
				}
				answers.Add(1)
				slowest.Store(max(slowest.Load(), int64(took)))
			}
		})
	}
	wait.Wait()
	if err := failure.Load(); err != nil {
		return measured{}, *err
	}
	took := time.Since(begun)
	return measured{rate: float64(answers.Load()) / took.Seconds(), p99: time.Duration(slowest.Load())}, nil
}
