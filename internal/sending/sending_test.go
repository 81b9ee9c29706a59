package sending_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/sending"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/manifest"
)

// trc is a motion file of so many frames.
func trc(frames int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"+
		"OrigDataStartFrame\tOrigNumFrames\n100\t100\t%d\t1\tmm\t100\t1\t%d\nFrame#\tTime\tLASI\t\t\n\t\tX1\tY1\tZ1\n\n",
		frames, frames)
	for i := range frames {
		fmt.Fprintf(&b, "%d\t%.2f\t%d.25\t2\t3\n", i+1, float64(i)/100, i%1000)
	}
	return b.Bytes()
}

// folder is a folder of files.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sent is what an import has said.
type sent struct {
	intake.Summary
	captures []intake.Capture
	said     []string // refusals and what was skipped
	err      error
}

func (s sent) effects() map[manifest.Effect]int {
	n := map[manifest.Effect]int{}
	for _, c := range s.captures {
		n[c.Effect]++
	}
	return n
}

// send sends paths to a server, with waits that take no time.
func send(ctx context.Context, t *testing.T, url, token string, dry bool, h *http.Client, paths ...string) (s sent) {
	t.Helper()
	c, err := client.New(url, token, client.WithHTTPClient(h))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	quick := func(ctx context.Context, _ time.Duration) error {
		select {
		case <-time.After(time.Millisecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	to := sending.To(c, sending.WithPause(quick))
	im := intake.Import{Store: to, Folders: &intake.Folders{Elsewhere: to, Workers: 3}, Dry: dry,
		Captured: func(c intake.Capture) { s.captures = append(s.captures, c) },
		Skipped:  func(k intake.Skip) { mu.Lock(); s.said = append(s.said, k.Path+": "+k.Why); mu.Unlock() },
		Refused:  func(r intake.Refusal) { mu.Lock(); s.said = append(s.said, r.Path+": "+r.Rule); mu.Unlock() }}
	s.Summary, s.err = im.Run(ctx, paths...)
	return s
}

// rows counts the captures of an organization.
func rows(a *apptest.App, token string) int {
	return int(a.Get("/captures", token).Want(200).Object()["total_count"].(float64))
}

func TestAFolderIsSentOnceAndWhatIsSaidOfItLaterCounts(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		dir := folder(t, map[string][]byte{"a.trc": trc(3), "monday/a.trc": trc(3), "b.c3d": nil,
			"long.trc": trc(80_000), "scores.csv": []byte("name,points\nAnn,3\n"),
			"notes.txt": []byte("x"), "kinebase.csv": []byte(
				"file,athlete,activity,movement,arm_position,capture_time\n" +
					"a.trc,ann@example.org,jump,countermovement,hands-on-hips,2026-05-13T14:30\n" +
					"long.trc,Ben Lund|ann@example.org,,,,\nb.c3d,Cleo,,,,\n")})
		people := filepath.Join(dir, "people.ndjson")
		if err := os.WriteFile(people, []byte(`{"type":"athlete","first_name":"Ann","last_name":"Berg",`+
			`"email":"ann@example.org","height":70,"date_of_birth":"2001-02-03","positions":["pitcher"],`+
			`"activity":"baseball","custom_attributes":{"jersey":"7"}}`+"\n"+
			`{"type":"athlete","first_name":"Ben","last_name":"Lund"}`+"\n"+`{"type":"capture","status":"completed"}`+
			"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		dry := send(t.Context(), t, a.URL, token, true, a.HTTP, people, dir)
		if dry.err != nil || rows(a, token) != 0 || dry.Athletes != 2 {
			t.Fatalf("a dry run made something: %+v", dry)
		}
		first := send(t.Context(), t, a.URL, token, false, a.HTTP, people, dir)
		if first.err != nil || first.Athletes != 2 || first.effects()[manifest.Created] != 3 || first.Failed != 3 {
			t.Fatalf("the first time: %+v", first)
		}
		for _, want := range []string{"of a manifest only athletes can", `names "Cleo"`,
			"b.c3d: is not imported, because line 4", "scores.csv: not a table of motion.",
			"notes.txt: not a motion file"} {
			if !strings.Contains(strings.Join(first.said, "\n"), want) {
				t.Errorf("it does not say %q: %q", want, first.said)
			}
		}
		byPath := map[string]string{}
		for _, c := range first.captures {
			byPath[filepath.Base(filepath.Dir(c.Path))+"/"+filepath.Base(c.Path)] = c.SessionID
			if c.Status != "completed" {
				t.Errorf("%s is %s", c.Path, c.Status)
			}
		}
		session := byPath[filepath.Base(dir)+"/a.trc"]
		o := a.Get("/captures/"+session+"?include=time", token).Want(200).Object()
		if o["movement"] != "countermovement" || o["arm_position"] != "hands-on-hips" ||
			o["capture_time"] != "2026-05-13T14:30:00.000Z" || o["athlete_id"] == nil {
			t.Errorf("the capture is %v", o)
		}
		long := byPath[filepath.Base(dir)+"/long.trc"]
		if got := a.Get("/captures/"+long+"/file", token).Want(200).Body; !bytes.Equal(got, trc(80_000)) {
			t.Errorf("the long file has %d bytes", len(got))
		}
		if got := a.Get("/captures/"+long+"/athletes", token).Want(200).Object()["athletes"].([]any); len(got) != 2 {
			t.Errorf("the long file is of %v", got)
		}

		again := send(t.Context(), t, a.URL, token, false, a.HTTP, people, dir)
		if again.effects()[manifest.Unchanged] != 3 || again.Athletes != 2 || rows(a, token) != 3 {
			t.Errorf("the second time: %+v", again)
		}
		if err := os.WriteFile(filepath.Join(dir, "kinebase.csv"),
			[]byte("file,athlete,movement\na.trc,,squat\nlong.trc,Ben Lund,\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a.Delete("/captures/"+byPath["monday/a.trc"], token).Want(200)
		third := send(t.Context(), t, a.URL, token, false, a.HTTP, dir)
		// b.c3d comes in, for nothing is said of it any more, and what was deleted comes again.
		if n := third.effects(); n[manifest.Updated] != 2 || n[manifest.Created] != 2 || third.err != nil {
			t.Errorf("the third time: %+v", third)
		}
		if o := a.Get("/captures/"+session, token).Want(200).Object(); o["movement"] != "squat" ||
			o["activity"] != "jump" {
			t.Errorf("the capture is %v", o)
		}
		if got := a.Get("/captures/"+long+"/athletes", token).Want(200).Object()["athletes"].([]any); len(got) != 1 {
			t.Errorf("the long file is of %v", got)
		}
		i := slices.IndexFunc(third.captures, func(c intake.Capture) bool { return filepath.Base(c.Path) == "b.c3d" })
		if c := third.captures[i]; c.Status != "error" || c.Error == nil || !strings.Contains(*c.Error, "empty") {
			t.Errorf("an empty file is told as %+v", c)
		}
	})
}

// badLine passes bytes on, and breaks each connection after some that were sent.
type badLine struct {
	net.Conn
	left *atomic.Int64
	up   *atomic.Int64 // counts what was sent
}

func (b *badLine) Write(p []byte) (int, error) {
	if left := b.left.Load(); int64(len(p)) > left {
		n, _ := b.Conn.Write(p[:left])
		b.up.Add(int64(n))
		_ = b.Conn.Close()
		return n, errors.New("the line broke")
	}
	n, err := b.Conn.Write(p)
	b.left.Add(-int64(n))
	b.up.Add(int64(n))
	return n, err
}

// brokenBy is a client whose connections each break after as many bytes as the function says.
func brokenBy(up *atomic.Int64, bytes func() int64) *http.Client {
	return &http.Client{Timeout: testkit.Patience, Transport: &http.Transport{DialContext: func(ctx context.Context,
		network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		left := new(atomic.Int64)
		left.Store(bytes())
		return &badLine{c, left, up}, nil
	}}}
}

func TestEveryFileComesOnceOverALineThatBreaks(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		token := a.Token(a.Organization())
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		chance, mu := rand.New(rand.NewPCG(seed, 1)), sync.Mutex{}
		files := map[string][]byte{}
		for i := range 12 {
			files[fmt.Sprintf("%d.trc", i)] = trc(3 + i)
		}
		files["long.trc"], files["longer.trc"] = trc(100_000), trc(150_000)
		dir := folder(t, files)
		var up atomic.Int64
		h := brokenBy(&up, func() int64 { mu.Lock(); defer mu.Unlock(); return 300 + chance.Int64N(700_000) })
		got := send(t.Context(), t, a.URL, token, false, h, dir)
		if got.err != nil || got.effects()[manifest.Created] != 14 || got.Failed != 0 || rows(a, token) != 14 {
			t.Fatalf("seed %d: %+v; there are %d", seed, got, rows(a, token))
		}
		for _, c := range got.captures {
			if body := a.Get("/captures/"+c.SessionID+"/file", token).Want(200).Body; !bytes.Equal(body,
				files[filepath.Base(c.Path)]) || c.Status != "completed" {
				t.Errorf("seed %d: %s has %d bytes of %d and is %s", seed, c.Path, len(body),
					len(files[filepath.Base(c.Path)]), c.Status)
			}
		}
	})
}

func TestWhatWasSentBeforeItWasStoppedIsNotSentAgain(t *testing.T) {
	testkit.Long(t)
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	file := trc(1_500_000) // more than two pieces
	dir := folder(t, map[string][]byte{"long.trc": file})
	ctx, stop := context.WithCancel(t.Context())
	var up, after atomic.Int64
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &stopping{c, &up, int64(len(file)) - 100_000, stop}, err
	}}
	first := send(ctx, t, a.URL, token, false, &http.Client{Transport: transport}, dir)
	if !errors.Is(first.err, context.Canceled) {
		t.Fatalf("it was stopped, and says %v", first.err)
	}
	second := send(t.Context(), t, a.URL, token, false, brokenBy(&after, func() int64 { return 1 << 40 }), dir)
	// All of it may have come that was on its way when the first one was stopped.
	if e := second.effects(); second.err != nil || e[manifest.Created]+e[manifest.Unchanged] != 1 ||
		rows(a, token) != 1 {
		t.Fatalf("then: %+v, %d captures", second, rows(a, token))
	}
	if n := after.Load(); n > int64(len(file))/2 {
		t.Errorf("of %d bytes %d were sent before, and %d after", len(file), up.Load(), n)
	}
	body := a.Get("/captures/"+second.captures[0].SessionID+"/file", token).Want(200).Body
	if !bytes.Equal(body, file) {
		t.Errorf("the file has %d bytes of %d", len(body), len(file))
	}
}

// stopping stops a command once so much was sent.
type stopping struct {
	net.Conn
	up   *atomic.Int64
	most int64
	stop func()
}

func (s *stopping) Write(p []byte) (int, error) {
	n, err := s.Conn.Write(p)
	if s.up.Add(int64(n)) > s.most {
		s.stop()
	}
	return n, err
}

func TestAFileThatIsRefusedKeepsOutNoOther(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_MAX_UPLOAD", "2MiB"))
	token := a.Token(a.Organization())
	dir := folder(t, map[string][]byte{"a.trc": trc(3), "large.trc": trc(150_000), "z.trc": trc(4)})
	got := send(t.Context(), t, a.URL, token, false, a.HTTP, dir)
	if got.err != nil || got.effects()[manifest.Created] != 2 || got.Failed != 1 ||
		!strings.Contains(strings.Join(got.said, ""), "large.trc: is not taken: The file is larger than 2097152") {
		t.Errorf("%+v", got)
	}
	if rows(a, token) != 2 {
		t.Errorf("there are %d captures", rows(a, token))
	}
}

func TestAnotherTokenOrAddressEndsTheImport(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	dir := folder(t, map[string][]byte{"a.trc": trc(3), "b.trc": trc(3)})
	for what, got := range map[string]sent{
		"401": send(t.Context(), t, a.URL, a.ExpiredToken(org), false, a.HTTP, dir),
		"403": send(t.Context(), t, a.URL, a.ReadOnlyToken(org), false, a.HTTP, dir),
		"there is no interface at this address": send(t.Context(), t, a.Root+"/v2", a.Token(org), false,
			&http.Client{Transport: http.DefaultTransport}, dir),
		"no interface at this address": send(t.Context(), t, a.Root, a.Token(org), false, // the console has it
			&http.Client{Transport: http.DefaultTransport}, dir),
	} {
		if got.err == nil || !strings.Contains(got.err.Error(), what) || len(got.captures) > 0 {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

func TestAFileThatChangesWhileItIsSentIsRefused(t *testing.T) {
	testkit.Long(t)
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	file := trc(300_000)
	dir := folder(t, map[string][]byte{"long.trc": file, "z.trc": trc(3)})
	var up atomic.Int64
	var once sync.Once
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &stopping{c, &up, 1_000_000, func() {
			once.Do(func() {
				f, err := os.OpenFile(filepath.Join(dir, "long.trc"), os.O_APPEND|os.O_WRONLY, 0)
				if err == nil {
					_, _ = io.WriteString(f, "more")
					_ = f.Close()
				}
			})
		}}, err
	}}
	got := send(t.Context(), t, a.URL, token, false, &http.Client{Transport: transport}, dir)
	if got.err != nil || got.Failed != 1 || !strings.Contains(strings.Join(got.said, ""), "changed while it was read") {
		t.Errorf("%+v", got)
	}
	if again := send(t.Context(), t, a.URL, token, false, a.HTTP, dir); again.effects()[manifest.Created] != 1 ||
		again.effects()[manifest.Unchanged] != 1 || again.err != nil {
		t.Errorf("the second time: %+v", again)
	}
}
