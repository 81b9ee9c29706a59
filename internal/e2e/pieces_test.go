package e2e

import (
	"bytes"
	"context"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// pieced is the file that journey.readBack knows.
func pieced() []byte {
	return c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 40), Frames: 2000, Analogs: c3dtest.Many("A", 4),
		PerFrame: 5})
}

// come asks how much of a file has come.
func (j *journey) come(place string) *client.UploadProgress {
	j.Helper()
	p, err := j.client.GetUpload(context.Background(), place)
	if err != nil {
		j.Fatalf("%v\n%s", err, tail(j.server.logs()))
	}
	return p
}

// striking is a part of a file that does something once so much of it was read.
type striking struct {
	io.ReaderAt
	at     int64
	strike func()
}

// ReadAt reads.
func (s *striking) ReadAt(p []byte, off int64) (int, error) {
	if s.strike != nil && off >= s.at {
		s.strike()
		s.strike = nil
	}
	return s.ReaderAt.ReadAt(p, off)
}

// TestAnUploadInPiecesGoesOnHoweverOftenTheServerIsKilled kills the server after pieces that it has acknowledged and
// in the middle of others. What was acknowledged has come, and nothing that was not sent.
func TestAnUploadInPiecesGoesOnHoweverOftenTheServerIsKilled(t *testing.T) {
	testkit.Long(t)
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, left := where.setUp(t)
			j := begun(t, m)
			file := pieced()
			r, err := j.client.Reserve(t.Context(), client.NewCapture{FileName: "walk.c3d", FileSize: int64(len(file))})
			if err != nil {
				t.Fatal(err)
			}
			for at, kills := int64(0), 0; at < int64(len(file)); {
				n := min(1+j.chance.Int64N(int64(len(file)/6)), int64(len(file))-at)
				from := &striking{ReaderAt: bytes.NewReader(file)}
				within := kills < 5 && j.chance.IntN(2) == 0
				if within {
					from.at, from.strike = at+j.chance.Int64N(n), j.server.kill
				}
				err := j.client.ContinueUpload(t.Context(), r.ResumableURL, at, io.NewSectionReader(from, at, n))
				if !within && err != nil {
					t.Fatalf("%v\n%s", err, tail(j.server.logs()))
				}
				acknowledged := at
				if err == nil {
					acknowledged = at + n
				}
				if within || kills < 8 {
					kills++
					j.server.kill()
					j.start()
				}
				p := j.come(r.ResumableURL)
				if p.Offset < acknowledged || p.Offset > at+n {
					t.Fatalf("%d bytes were acknowledged and %d sent, and %d have come", acknowledged, at+n, p.Offset)
				}
				at = p.Offset
			}
			j.crash(200 * time.Millisecond)
			j.readBack(j.await(r.SessionID, "completed"), file)
			if _, err := j.client.DeleteCapture(t.Context(), r.SessionID); err != nil {
				t.Fatal(err)
			}
			testkit.Until(t, "no file is left, and no piece", func() bool { return len(left()) == 0 })
		})
	}
}

// TestAnUploadInPiecesIsMovedFromServerToServer sends each piece to another server on the same database, at an
// address that the first one gave, and kills one of them for good on the way.
func TestAnUploadInPiecesIsMovedFromServerToServer(t *testing.T) {
	t.Parallel()
	m, _ := storages[1].setUp(t)
	_, secret := m.token(m.organization())
	servers := []*server{m.serve(), m.serve(), m.serve()}
	c := servers[0].client(secret)
	file := pieced()
	r, err := c.Reserve(t.Context(), client.NewCapture{FileName: "walk.c3d", FileSize: int64(len(file))})
	if err != nil {
		t.Fatal(err)
	}
	at := func(s *server) string {
		place, err := url.Parse(r.ResumableURL)
		if err != nil {
			t.Fatal(err)
		}
		return s.root() + place.Path
	}
	chance := seeded(t)
	for n, sent := 0, int64(0); sent < int64(len(file)); n++ {
		if n == 3 {
			servers[0].kill()
			servers = servers[1:]
		}
		s := servers[n%len(servers)]
		size := min(1+chance.Int64N(int64(len(file)/8)), int64(len(file))-sent)
		piece := io.NewSectionReader(bytes.NewReader(file), sent, size)
		if err := c.ContinueUpload(t.Context(), at(s), sent, piece); err != nil {
			t.Fatalf("%v\n%s", err, tail(s.logs()))
		}
		sent += size
		p, err := c.GetUpload(t.Context(), at(servers[(n+1)%len(servers)]))
		if err != nil || p.Offset != sent {
			t.Fatalf("another server says %+v of %d bytes, %v", p, sent, err)
		}
	}
	j := &journey{T: t, machine: m, server: servers[1], client: servers[1].client(secret)}
	j.readBack(j.await(r.SessionID, "completed"), file)
}

// TestASentFolderIsThereOnceHoweverOftenBothSidesAreKilled kills the command that sends a folder, and the server.
func TestASentFolderIsThereOnceHoweverOftenBothSidesAreKilled(t *testing.T) {
	testkit.Long(t)
	for _, e := range []apptest.Engine{apptest.SQLite, apptest.PostgreSQL} {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, e)
			j := begun(t, m)
			away := machineAt(t, nil)
			folder := away.home + "/day"
			cmd := away.command("demo", "--files", folder)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			send := func() ([]byte, error) {
				cmd := away.command("import", "--to", j.server.url, folder)
				cmd.Env = append(cmd.Env, "KINEBASE_TOKEN="+j.secret)
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				if j.chance != nil {
					time.AfterFunc(time.Duration(j.chance.Int64N(int64(3*time.Second))), func() { _ = cmd.Process.Kill() })
				}
				err := cmd.Wait()
				return out.Bytes(), err
			}
			for range 6 {
				_, _ = send()
				if j.chance.IntN(2) == 0 {
					j.crash(0)
				}
			}
			j.chance = nil
			out, err := send()
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, out, tail(j.server.logs()))
			}
			if out, err = send(); err != nil || !strings.Contains(string(out), "0 new, 0 changed, 11 as before") {
				t.Errorf("the last one says %s, %v", out, err)
			}
			page, err := j.client.ListCaptures(t.Context(), client.CaptureFilter{})
			if err != nil || page.TotalCount != 11 {
				t.Errorf("of 11 files there are %d captures, %v", page.TotalCount, err)
			}
			for _, c := range page.Captures {
				if c.Status != "completed" {
					t.Errorf("%s is %s: %v", c.SessionID, c.Status, c.Error)
				}
			}
		})
	}
}
