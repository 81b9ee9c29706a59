package breaker

import (
	"context"
	"errors"
	"time"
)

// errNoAnswer ends a question that was not answered in time.
var errNoAnswer = errors.New("no answer in time")

// suspect has the neighbour asked, unless that is done already.
func (b *Breaker) suspect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asks || b.life.Err() != nil {
		return
	}
	b.asks = true
	b.asking.Go(b.ask)
}

// ask asks once, and as long as there is no answer again and again.
func (b *Breaker) ask() {
	for {
		err := b.question()
		if b.life.Err() != nil {
			return
		}
		if err == nil {
			b.answered()
			return
		}
		b.unanswered(err)
		paused := make(chan struct{})
		stop := b.options.After(Pause, func() { close(paused) })
		select {
		case <-paused:
		case <-b.life.Done():
			stop()
			return
		}
	}
}

// question is nil when the neighbour answered, however late.
func (b *Breaker) question() error {
	ctx, cancel := context.WithCancelCause(b.life)
	defer cancel(nil)
	stop := b.options.After(AnswerTime, func() { cancel(errNoAnswer) })
	defer stop()
	err := b.options.Ask(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errNoAnswer) {
		return errNoAnswer
	}
	return err
}

// unanswered opens the breaker: it says so once, and ends all calls.
func (b *Breaker) unanswered(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		return
	}
	b.open, b.since, b.closed = true, b.options.Now(), make(chan struct{})
	b.opened.Add(1)
	b.options.Log.Warn(b.options.Name+" does not answer: what needs it is refused until it does", "calls_ended",
		len(b.calls), "error", err.Error())
	for cancel := range b.calls {
		(*cancel)(b.refusal())
	}
}

// answered closes the breaker again.
func (b *Breaker) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asks = false
	if !b.open {
		return
	}
	b.open, b.back = false, b.options.Now()
	close(b.closed)
	b.options.Log.Info(b.options.Name+" answers again", "outage",
		b.back.Sub(b.since).Round(time.Millisecond).String())
}
