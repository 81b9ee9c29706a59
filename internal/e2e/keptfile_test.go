package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// reply is an answer with all of its body.
type reply struct {
	status int
	header http.Header
	body   string
}

// whole asks one of the servers for a result as a file.
func (j *journey) whole(s *server, job, query, kind string, headers ...string) reply {
	j.Helper()
	return j.result(http.MethodGet, s, job, query, kind, headers...)
}

func (j *journey) result(method string, s *server, job, query, kind string, headers ...string) reply {
	j.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+"/data/export/job/"+job+"/results"+query,
		nil)
	if err != nil {
		j.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+j.secret)
	req.Header.Set("Accept", kind)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := s.http().Do(req)
	if err != nil {
		j.Fatalf("%v\n%s", err, tail(s.logs()))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		j.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(body)}
}

// kept waits until a result is given in parts. It looks by HEAD: a file gives way to
// whoever has the result written.
func (j *journey) kept(s *server, job, kind string) (r reply) {
	j.Helper()
	testkit.Until(j.T, kind+" is kept", func() bool {
		r = j.result(http.MethodHead, s, job, "", kind)
		return r.status == http.StatusOK && r.header.Get("Accept-Ranges") == "bytes"
	})
	return j.whole(s, job, "", kind)
}

// TestAResultIsKeptAsAFileUntilADeletion exports the walks of two people, gets the
// result first as it is written and then in parts, from two servers of which one is
// killed while it makes files, and erases one of the two people, of whom nothing must
// be left in storage.
func TestAResultIsKeptAsAFileUntilADeletion(t *testing.T) {
	testkit.Long(t)
	kinds := []string{client.CSV, client.NDJSON, client.Parquet}
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, left := where.setUp(t)
			j := begun(t, m)
			beside := m.serve()
			ctx := context.Background()
			var ids []string
			for _, name := range []string{"Unmistakable", "Ben"} {
				a, err := j.client.CreateAthlete(ctx, client.AthleteFields{FirstName: &name})
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, a.ID)
				r, err := j.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d", AthleteIDs: []string{a.ID}})
				if err != nil {
					t.Fatal(err)
				}
				j.upload(r, c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 40), Frames: 2000}))
				j.await(r.SessionID, "completed")
			}
			before := left()
			job, err := j.client.CreateExport(ctx, client.NewExport{})
			if err == nil {
				job, err = j.client.WaitExport(ctx, job.ID, nil)
			}
			if err != nil || job.Status != client.JobCompleted || *job.RowCount != 4000 {
				t.Fatalf("the export is %+v, %v", job, err)
			}

			written, firstTag := map[string]string{}, map[string]string{}
			for _, kind := range kinds {
				first := j.whole(j.server, job.ID, "", kind, "Range", "bytes=0-9")
				if first.status != 200 || first.header.Get("Accept-Ranges") != "none" {
					t.Errorf("%s at first: %d %v", kind, first.status, first.header)
				}
				written[kind], firstTag[kind] = first.body, first.header.Get("Etag")
				j.whole(beside, job.ID, "", kind) // at the other, too
			}
			j.crash(150 * time.Millisecond)
			tags := map[string]string{}
			for _, kind := range kinds {
				r := j.kept(j.server, job.ID, kind)
				if r.body != written[kind] || r.header.Get("Content-Length") != fmt.Sprint(len(r.body)) {
					t.Errorf("%s: %d bytes are kept of the %d that were written", kind, len(r.body), len(written[kind]))
				}
				if tags[kind] = r.header.Get("Etag"); tags[kind] == "" || tags[kind] != firstTag[kind] {
					t.Errorf("%s: the tag is %s where it is kept, and was %s where it was written", kind, tags[kind],
						firstTag[kind])
				}
				at, size := j.chance.IntN(len(r.body)), len(r.body)
				part := j.whole(beside, job.ID, "", kind, "Range", fmt.Sprintf("bytes=%d-", at), "If-Range", tags[kind])
				if part.status != 206 || part.body != r.body[at:] ||
					part.header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", at, size-1, size) {
					t.Errorf("%s from %d on: %d %v, %d bytes", kind, at, part.status, part.header, len(part.body))
				}
			}
			if sheet := j.whole(beside, job.ID, "?bom=1", client.CSV, "Range", "bytes=0-11"); sheet.status != 206 ||
				sheet.body != "\ufeffsessionid" {
				t.Errorf("with a mark: %+v", sheet)
			}
			made := func() int { return len(left()) - len(before) }
			testkit.Until(t, "what the killed server left is removed", func() bool { return made() == len(kinds) })

			// What the folder has lost is written, kept again, and all the time the same file.
			for _, name := range left() {
				if _, err := os.Stat(name); slices.Contains(before, name) || err != nil {
					continue // in a bucket it stays
				}
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
			for _, kind := range kinds {
				if r := j.whole(beside, job.ID, "", kind); r.body != written[kind] ||
					r.header.Get("Etag") != tags[kind] {
					t.Errorf("%s, which was lost: %d bytes of %d, the tag %s", kind, len(r.body), len(written[kind]),
						r.header.Get("Etag"))
				}
				j.kept(j.server, job.ID, kind)
				if part := j.whole(beside, job.ID, "", kind, "Range", "bytes=100-", "If-Range",
					firstTag[kind]); part.status != 206 || part.body != written[kind][100:] {
					t.Errorf("%s, which was lost and made anew: %d, %d bytes", kind, part.status, len(part.body))
				}
			}

			if _, err := j.client.DeleteAthlete(ctx, ids[0]); err != nil {
				t.Fatal(err)
			}
			for _, kind := range kinds {
				r := j.whole(beside, job.ID, "", kind, "Range", "bytes=100-", "If-Range", tags[kind])
				switch {
				case r.status == 503 && r.header.Get("Retry-After") != "":
				case r.status == 200 && !strings.Contains(r.body, "Unmistakable"): // made already
				default:
					t.Errorf("%s, an old range: %d %v", kind, r.status, r.header)
				}
				r = j.kept(beside, job.ID, kind)
				if strings.Contains(r.body, "Unmistakable") || strings.Contains(r.body, ids[0]) ||
					!strings.Contains(r.body, ids[1]) || r.header.Get("Etag") == tags[kind] {
					t.Errorf("%s after the erasure has %d bytes and the tag %s", kind, len(r.body),
						r.header.Get("Etag"))
				}
				if r := j.whole(beside, job.ID, "", kind, "Range", "bytes=100-", "If-Match", tags[kind]); r.status !=
					412 {
					t.Errorf("%s, an old range that must match: %d", kind, r.status)
				}
			}
			if n := strings.Count(j.whole(beside, job.ID, "", client.CSV).body, "\n"); n != 2001 {
				t.Errorf("%d lines are left", n)
			}
			testkit.Until(t, "nothing is left of who was erased", func() bool {
				names := left()
				return len(names) == len(kinds)+len(before)/2 && !slices.ContainsFunc(names, func(name string) bool {
					raw, err := os.ReadFile(name) // in a bucket the names alone tell
					return err == nil && (bytes.Contains(raw, []byte("Unmistakable")) ||
						bytes.Contains(raw, []byte(ids[0])))
				})
			})
		})
	}
}
