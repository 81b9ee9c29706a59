// Package client talks to a Kinebase server. It needs nothing but the standard
// library and is stable: within a major version it only gains things.
//
//	c, err := client.New("http://127.0.0.1:8080/v1", token)
//	…
//	for capture, err := range c.Captures(ctx, client.CaptureFilter{Activity: "baseball"}) {
//		…
//	}
//
// A refusal of the server is an *Error. A value that may be null is a pointer.
// Fields that this version does not know are passed over.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client talks to one server with one token. It may be used by several
// goroutines at once.
type Client struct {
	base  string // without a slash at the end
	token string
	link  string // the secret of a share, in the place of a token; "" for none
	http  *http.Client
	long  *http.Client // the same without a timeout, for what takes as long as it takes
	agent string
	retry retry
	// how long a connection may stand still on which pieces of a file go
	stalled time.Duration
	most    int64 // bytes of an answer; 0: as many as there are
}

// Option changes how a Client works.
type Option func(*Client)

// defaultTimeout bounds one request and its answer; the server itself gives up
// after a minute.
const defaultTimeout = 2 * time.Minute

// WithHTTPClient sends requests by h, for instance with another timeout or
// transport. Without it a request may take two minutes. Files and frames have no
// timeout but that of their context.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithUserAgent names the program to the server.
func WithUserAgent(agent string) Option { return func(c *Client) { c.agent = agent } }

// WithLargestAnswer has reading an answer of more bytes fail with an *AnswerTooLarge, files and results of exports
// included. Without it an answer may be of any size.
func WithLargestAnswer(bytes int64) Option { return func(c *Client) { c.most = bytes } }

// WithRetry asks again, at most the given number of times a call, when the server
// answers 429 or 503, after the time that it asks for. A wait longer than longest
// is not made; the call fails at once instead. So that nothing happens twice,
// creating and updating calls get an idempotency key of their own where the caller
// gives none.
func WithRetry(times int, longest time.Duration) Option {
	return func(c *Client) { c.retry.times, c.retry.longest = times, longest }
}

// New makes a client. The base URL includes the version:
// http://127.0.0.1:8080/v1.
func New(baseURL, token string, options ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil {
		var wrong *url.Error // whose text has all of the URL, with a password
		errors.As(err, &wrong)
		return nil, fmt.Errorf("base URL: it must be like http://HOST:PORT/v1 (%w)", wrong.Err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("base URL %q: it must be like http://HOST:PORT/v1", u.Redacted())
	}
	c := &Client{
		base: strings.TrimRight(baseURL, "/"), token: token,
		http: &http.Client{Timeout: defaultTimeout}, agent: "kinebase-go", retry: retry{sleep: sleep}, stalled: stalled,
	}
	for _, o := range options {
		o(c)
	}
	long := *c.http
	long.Timeout = 0
	c.long = &long
	return c, nil
}

// CallOption changes one call.
type CallOption func(*call)

// call is one request on its way.
type call struct {
	method string
	path   string // below the base, escaped
	query  url.Values
	header http.Header
	body   []byte // JSON; nil for none
	meta   *Meta
	accept string // "" for JSON
	plain  bool   // it takes no idempotency key
}

// IdempotencyKey makes a POST safe to repeat: within 24 hours the same key with
// the same body gives the first answer instead of acting again. 1..255 printable
// ASCII characters.
func IdempotencyKey(key string) CallOption { return withHeader("Idempotency-Key", key) }

// IfMatch lets an update or a deletion happen only while the record still has
// this ETag; otherwise the call fails with the status 412.
func IfMatch(etag string) CallOption { return withHeader("If-Match", etag) }

// IfNoneMatch makes a reading call fail with ErrNotModified while what is asked
// for still has this ETag.
func IfNoneMatch(etag string) CallOption { return withHeader("If-None-Match", etag) }

// RequestID gives the request an id of the caller's, which the server's log will
// show.
func RequestID(id string) CallOption { return withHeader("X-Request-Id", id) }

func withHeader(name, value string) CallOption {
	return func(c *call) { c.header.Set(name, value) }
}

// Meta is what an answer says beside its body.
type Meta struct {
	Status       int
	RequestID    string
	ETag         string     // "" where the answer has none
	Location     string     // of a created athlete
	Replayed     bool       // the stored answer of an earlier request with the same idempotency key
	TokenExpires *time.Time // from 14 days before the token expires
}

// WithMeta fills m from the answer, also when the call fails with an *Error or
// ErrNotModified.
func WithMeta(m *Meta) CallOption { return func(c *call) { c.meta = m } }

// ErrNotModified says that nothing has changed since the ETag given by
// IfNoneMatch.
var ErrNotModified = errors.New("not modified")

// do makes the call and decodes a success into result.
func (c *Client) do(ctx context.Context, call *call, result any, options ...CallOption) error {
	return c.try(ctx, call, options, func() error { return c.once(ctx, call, result) })
}

// try makes a call by once, again and again where the client is to.
func (c *Client) try(ctx context.Context, call *call, options []CallOption, once func() error) error {
	call.header = http.Header{}
	for _, o := range options {
		o(call)
	}
	if c.retry.times > 0 && call.method == http.MethodPost && !call.plain && call.header.Get("Idempotency-Key") == "" {
		call.header.Set("Idempotency-Key", rand.Text())
	}
	for tries := 0; ; tries++ {
		err := once()
		wait, again := c.retry.after(err, tries)
		if !again {
			return err
		}
		if err := c.retry.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// once sends the request and reads the answer.
func (c *Client) once(ctx context.Context, call *call, result any) error {
	resp, err := c.ask(ctx, c.http, call)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(result); err != nil {
		return fmt.Errorf("%s %s: the answer cannot be read: %w", call.method, call.path, err)
	}
	// The rest is read, so that the connection can be used again.
	_, _ = io.CopyN(io.Discard, resp.Body, 1<<10)
	return nil
}

// ask sends the request and gives an answer whose body is what was asked for.
func (c *Client) ask(ctx context.Context, h *http.Client, call *call) (*http.Response, error) {
	target := c.base + call.path
	if len(call.query) > 0 {
		target += "?" + call.query.Encode()
	}
	var body io.Reader
	if call.body != nil {
		body = bytes.NewReader(call.body)
	}
	req, err := http.NewRequestWithContext(ctx, call.method, target, body)
	if err != nil {
		return nil, err
	}
	for name, values := range call.header {
		req.Header[name] = values
	}
	if c.link == "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	} else {
		req.Header.Set("Kinebase-Share", c.link)
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", "application/json")
	if call.accept != "" {
		req.Header.Set("Accept", call.accept)
	}
	if call.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := h.Do(req)
	if err != nil {
		return nil, err
	}
	if c.most > 0 {
		resp.Body = &bounded{ReadCloser: resp.Body, left: c.most, most: c.most}
	}
	return resp, call.judge(resp)
}

// judge notes what an answer says, and closes one that is not what was asked for.
func (call *call) judge(resp *http.Response) error {
	if call.meta != nil {
		*call.meta = metaOf(resp)
	}
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return nil
	case resp.StatusCode == http.StatusNotModified:
		_ = resp.Body.Close()
		return ErrNotModified
	}
	defer resp.Body.Close()
	return errorOf(resp)
}

func metaOf(resp *http.Response) Meta {
	m := Meta{
		Status:    resp.StatusCode,
		RequestID: resp.Header.Get("X-Request-Id"),
		ETag:      resp.Header.Get("ETag"),
		Location:  resp.Header.Get("Location"),
		Replayed:  resp.Header.Get("Idempotency-Replayed") == "true",
	}
	if at, err := time.Parse(time.RFC3339, resp.Header.Get("Kinebase-Token-Expires")); err == nil {
		m.TokenExpires = &at
	}
	return m
}

// segment escapes an id for a path. A dot or two alone would be a step in the
// path to every proxy on the way, so they are escaped too.
func segment(id string) string {
	if id == "." || id == ".." {
		return strings.ReplaceAll(id, ".", "%2E")
	}
	return url.PathEscape(id)
}

// encode makes a body of a value; what this package sends can always be encoded.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
