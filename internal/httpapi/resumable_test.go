package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// places are a disk with each engine, and a bucket.
func places(t *testing.T, test func(t *testing.T, a *apptest.App)) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) { test(t, apptest.Start(t, e)) })
	if testing.Short() {
		return
	}
	t.Run("bucket", func(t *testing.T) {
		b := testkit.Bucket(t)
		test(t, apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_S3_ENDPOINT", b.Endpoint),
			apptest.With("KINEBASE_S3_BUCKET", b.Name),
			apptest.With("KINEBASE_S3_REGION", b.Region), apptest.With("KINEBASE_S3_ACCESS_KEY_ID", b.AccessKey),
			apptest.With("KINEBASE_S3_SECRET_ACCESS_KEY", b.SecretKey)))
	})
}

// resumable reserves an upload that goes on, of a file of so many bytes.
func resumable(t *testing.T, a *apptest.App, token, name string, size int) (session, place string) {
	t.Helper()
	var r struct {
		SessionID string `json:"session_id"`
		Place     string `json:"upload_resumable_url"`
	}
	a.Post("/captures?include=resumable", token, fmt.Sprintf(`{"file_name":%q,"file_size":%d}`, name, size)).Want(
		200).Into(&r)
	place, ok := strings.CutPrefix(r.Place, a.URL)
	if !ok {
		t.Fatalf("the file is to be sent to %s, and the interface is at %s", r.Place, a.URL)
	}
	return r.SessionID, place
}

// piece sends bytes that begin at a place.
func piece(a *apptest.App, place, bytes string, at int, headers ...string) *apptest.Answer {
	return a.Do("PATCH", place, "", bytes,
		append([]string{"Tus-Resumable", "1.0.0", "Content-Type", "application/offset+octet-stream", "Upload-Offset",
			fmt.Sprint(at)}, headers...)...)
}

func TestAFileComesInPieces(t *testing.T) {
	places(t, func(t *testing.T, a *apptest.App) {
		org := a.Organization()
		token := a.Token(org)
		session, place := resumable(t, a, token, "walk.trc", len(threeFrames))
		head := func(want string) *apptest.Answer {
			t.Helper()
			h := a.Do("HEAD", place, "", "", "Tus-Resumable", "1.0.0").Want(200)
			if h.Header.Get("Upload-Offset") != want || h.Header.Get("Upload-Length") != fmt.Sprint(len(threeFrames)) ||
				h.Header.Get("Tus-Resumable") != "1.0.0" || len(h.Body) > 0 {
				t.Errorf("HEAD says %v", h.Header)
			}
			return h
		}
		head("0")
		a.Do("HEAD", place, "", "").Want(412)
		piece(a, place, "x", 0, "Tus-Resumable", "0.2.2").Want(412)
		piece(a, place, "x", 1).Want(409)
		piece(a, place, "x", 0, "Content-Type", "text/plain").Want(415)
		piece(a, place, "x", 0, "Upload-Length", "3").Want(400)
		piece(a, place, threeFrames+"x", 0).Want(413)
		head("0")
		if got := piece(a, place, threeFrames[:100], 0).Want(204).Header.Get("Upload-Offset"); got != "100" {
			t.Errorf("100 bytes have come, and it says %s", got)
		}
		piece(a, place, threeFrames[50:], 50).Want(409) // they came already
		sum := func(s string) string {
			h := sha256.Sum256([]byte(s))
			return "sha256 " + base64.StdEncoding.EncodeToString(h[:])
		}
		piece(a, place, threeFrames[100:], 100, "Upload-Checksum", sum("something else")).Want(460)
		piece(a, place, threeFrames[100:], 100, "Upload-Checksum", "crc32 AAAA").Want(400)
		if h := head("100"); h.Header.Get("Upload-Expires") == "" {
			t.Error("it does not say until when it waits")
		}
		if status := a.Get("/captures/"+session, token).Want(200).Object()["status"]; status != "awaiting_upload" {
			t.Errorf("half of the file has come, and the capture is %s", status)
		}
		piece(a, place, threeFrames[100:], 100, "Upload-Checksum", sum(threeFrames[100:])).Want(204)
		if status := settled(a, token, session); status != "completed" {
			t.Fatalf("the capture is %s", a.Get("/captures/"+session, token).Body)
		}
		if got := string(a.Get("/captures/"+session+"/file", token).Want(200).Body); got != threeFrames {
			t.Errorf("the file is %q", got)
		}
		head(fmt.Sprint(len(threeFrames)))
		piece(a, place, "x", len(threeFrames)).Want(409)
		a.Do("DELETE", place, "", "", "Tus-Resumable", "1.0.0").Want(409)
		a.Delete("/captures/"+session, token).Want(200)
		a.Do("HEAD", place, "", "", "Tus-Resumable", "1.0.0").Want(404)
		a.Get(place[:len(place)-2]+"AA", "").Want(403)

		// One that its sender ends.
		session, place = resumable(t, a, token, "walk.trc", len(threeFrames))
		piece(a, place, threeFrames[:100], 0).Want(204)
		a.Do("DELETE", place, "", "", "Tus-Resumable", "1.0.0").Want(204)
		a.Do("HEAD", place, "", "", "Tus-Resumable", "1.0.0").Want(410)
		const ended = "The upload was ended by its sender."
		if got := a.Get(place, "").Want(410).Object()["message"]; got != ended+" Reserve another upload." {
			t.Errorf("of an upload that its sender has ended it says %s", got)
		}
		if got := a.Do("PUT", "/captures/"+session+"/file", token, threeFrames).Want(409).Object()["message"]; !strings.
			Contains(fmt.Sprint(got), "ended by its sender") {
			t.Errorf("a file that is put there is told: %s", got)
		}
		piece(a, place, threeFrames[100:], 100).Want(410)
		if o := a.Get("/captures/"+session, token).Want(200).Object(); o["status"] != "error" ||
			o["error"] != "The upload was ended by its sender." {
			t.Errorf("the capture is %v", o)
		}
		// One that comes by a sender without PATCH and DELETE.
		session, place = resumable(t, a, token, "walk.trc", len(threeFrames))
		by := func(method, bytes string, at int) *apptest.Answer {
			return a.Do("POST", place, "", bytes, "Tus-Resumable", "1.0.0", "X-HTTP-Method-Override", method,
				"Content-Type", "application/offset+octet-stream", "Upload-Offset", fmt.Sprint(at))
		}
		by("PUT", "x", 0).Want(405)
		by("PATCH", threeFrames[:100], 0).Want(204)
		by("PATCH", threeFrames[50:], 50).Want(409)
		by("PATCH", threeFrames[100:], 100).Want(204)
		if status := settled(a, token, session); status != "completed" {
			t.Errorf("the capture is %s", a.Get("/captures/"+session, token).Body)
		}
		a.Do("POST", "/captures/"+session, token, "", "X-HTTP-Method-Override", "DELETE").Want(405)
		_, place = resumable(t, a, token, "walk.trc", len(threeFrames))
		by("DELETE", "", 0).Want(204)
		a.Do("HEAD", place, "", "", "Tus-Resumable", "1.0.0").Want(410)
		// One of which the form comes first.
		var r reservation
		a.Post("/captures", token, `{"file_name":"walk.trc","file_size":3}`).Want(200).Into(&r)
		if raw := string(a.Post("/captures", token, `{"file_name":"walk.trc"}`).Want(200).Body); strings.Contains(raw,
			"resumable") {
			t.Errorf("nobody asked, and it answers %s", raw)
		}
		a.Post("/captures?include=resumable", token, `{"file_name":"walk.trc"}`).Want(400)
		a.Post("/captures?include=file", token, `{"file_name":"walk.trc"}`).Want(400)
		a.Post("/captures", token, `{"file_name":"walk.trc","file_size":0}`).Want(400)
		a.Post("/captures?include=resumable", token, `{"file_name":"walk.trc","file_size":99999999999}`).Want(413)
	})
}

func TestALargeFileThatCameInPiecesIsWhatItsSenderHad(t *testing.T) {
	testkit.Long(t)
	places(t, func(t *testing.T, a *apptest.App) {
		token := a.Token(a.Organization())
		var text strings.Builder
		text.WriteString("time,x,y\n")
		for n := 0; text.Len() < 11<<20; n++ { // two parts of an object, and the rest
			fmt.Fprintf(&text, "%.3f,%d,%d\n", float64(n)/1000, n, -n)
		}
		whole := text.String()
		session, place := resumable(t, a, token, "sway.csv", len(whole))
		for at := 0; at < len(whole); {
			n := min(5<<20, len(whole)-at)
			piece(a, place, whole[at:at+n], at).Want(204)
			at += n
		}
		if status := settled(a, token, session); status != "completed" {
			t.Fatalf("the capture is %s", a.Get("/captures/"+session, token).Body)
		}
		r := a.Get("/captures/"+session+"/file", token).Want(200)
		if got := string(r.Body); got != whole {
			t.Errorf("the file has %d bytes, and other ones than the %d that were sent", len(got), len(whole))
		}
		if got, want := r.Header.Get("ETag"), fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(whole))); got != want {
			t.Errorf("the tag of the file is %s, and its bytes have the sum %s", got, want)
		}
	})
}

// cutting is a connection that breaks after so many bytes were written.
type cutting struct {
	net.Conn
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if len(p) > c.left {
		n, _ := c.Conn.Write(p[:c.left])
		_ = c.Conn.Close()
		return n, errors.New("the test has cut the connection")
	}
	c.left -= len(p)
	return c.Conn.Write(p)
}

func TestAnUploadGoesOnWhereverItsConnectionsBreak(t *testing.T) {
	places(t, func(t *testing.T, a *apptest.App) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		chance := rand.New(rand.NewPCG(seed, 0))
		token := a.Token(a.Organization())
		file := threeFrames + strings.Repeat("\n", 400_000)
		session, place := resumable(t, a, token, "walk.trc", len(file))
		// The first connections break, of each which another place; then they hold.
		left := 12
		dialer := &net.Dialer{}
		transport := &http.Transport{DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dialer.DialContext(ctx, network, address)
				if left--; err != nil || left < 0 {
					return conn, err
				}
				return &cutting{conn, chance.IntN(100_000)}, nil
			}}
		c, err := client.New(a.URL, token,
			client.WithHTTPClient(&http.Client{Transport: transport, Timeout: time.Minute}))
		if err != nil {
			t.Fatal(err)
		}
		var told []int64
		if err := c.SendResumable(t.Context(), a.URL+place, strings.NewReader(file),
			func(sent int64) { told = append(told, sent) }); err != nil {
			t.Fatal(err)
		}
		if len(told) < 3 || told[len(told)-1] != int64(len(file)) {
			t.Errorf("of the bytes it told %v", told)
		}
		if status := settled(a, token, session); status != "completed" {
			t.Fatalf("the capture is %s", a.Get("/captures/"+session, token).Body)
		}
		if got := string(a.Get("/captures/"+session+"/file", token).Want(200).Body); got != file {
			t.Errorf("the file has %d bytes, and %d came", len(got), len(file))
		}
	})
}

func TestAnUploadGoesOnAtAnotherServerWhenTheFirstHasGone(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place := e.Place(t)
		first := apptest.Start(t, e, apptest.At(place))
		org := first.Organization()
		token := first.Token(org)
		session, address := resumable(t, first, token, "walk.trc", len(threeFrames))
		piece(first, address, threeFrames[:50], 0).Want(204)
		if err := first.Stop(); err != nil {
			t.Fatal(err)
		}
		second := apptest.Start(t, e, apptest.At(place))
		if h := second.Do("HEAD", address, "", "", "Tus-Resumable", "1.0.0").Want(200); h.Header.Get("Upload-Offset") !=
			"50" {
			t.Errorf("the second server says %v", h.Header)
		}
		piece(second, address, threeFrames[50:], 50).Want(204)
		if status := settled(second, token, session); status != "completed" {
			t.Fatalf("the capture is %s", second.Get("/captures/"+session, token).Body)
		}
		if got := string(second.Get("/captures/"+session+"/file", token).Want(200).Body); got != threeFrames {
			t.Errorf("the file is %q", got)
		}
	})
}

func TestFilesThatAreStillComingTakeRoom(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_FILE_STORAGE", "1MiB"))
	token := a.Token(a.Organization())
	_, one := resumable(t, a, token, "walk.trc", 900_000)
	_, two := resumable(t, a, token, "walk.trc", 900_000)
	half := strings.Repeat("x", 450_000)
	piece(a, one, half, 0).Want(204)
	if got := piece(a, two, half, 0).Want(409).Object()["message"].(string); !strings.Contains(got, "of the") {
		t.Errorf("it says %s", got)
	}
	a.Do("DELETE", one, "", "", "Tus-Resumable", "1.0.0").Want(204)
	piece(a, two, half, 0).Want(204)
}
