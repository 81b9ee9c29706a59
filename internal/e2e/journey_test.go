package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// storage is where a machine keeps files, as a test can look into it.
type storage struct {
	name  string
	setUp func(*testing.T) (*machine, func() []string)
}

// storages are the two kinds: SQLite with a folder, PostgreSQL with a bucket.
var storages = []storage{
	{"SQLite and a folder", func(t *testing.T) (*machine, func() []string) {
		place := apptest.SQLite.Place(t)
		return machineAt(t, place), func() []string { return filesBelow(t, filepath.Join(place["data"], "files")) }
	}},
	{"PostgreSQL and a bucket", func(t *testing.T) (*machine, func() []string) {
		b := testkit.Bucket(t)
		m := machineAt(t, apptest.PostgreSQL.Place(t))
		m.env = append(m.env, inBucket(b)...)
		return m, func() []string { return objectsIn(t, b) }
	}},
}

// inBucket are the variables that have files kept in a bucket.
func inBucket(b testkit.S3Bucket) []string {
	return []string{"KINEBASE_S3_ENDPOINT=" + b.Endpoint, "KINEBASE_S3_REGION=" + b.Region, "KINEBASE_S3_BUCKET=" +
		b.Name,
		"KINEBASE_S3_ACCESS_KEY_ID=" + b.AccessKey, "KINEBASE_S3_SECRET_ACCESS_KEY=" + b.SecretKey}
}

func filesBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was being erased
		}
		if err == nil && d.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

func objectsIn(t *testing.T, b testkit.S3Bucket) (names []string) {
	t.Helper()
	c, err := minio.New(b.Endpoint[len("http://"):],
		&minio.Options{Creds: credentials.NewStaticV4(b.AccessKey, b.SecretKey, ""), Region: b.Region})
	if err != nil {
		t.Fatal(err)
	}
	for o := range c.ListObjects(context.Background(), b.Name, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, o.Key)
	}
	return names
}

// journey is the way of one file through a server that is killed again and again.
type journey struct {
	*testing.T
	machine *machine
	address string
	server  *server
	secret  string
	client  *client.Client
	chance  *rand.Rand
}

// begun is a journey in an organization of its own, whose server runs.
func begun(t *testing.T, m *machine) *journey {
	t.Helper()
	j := &journey{T: t, machine: m, address: freeAddress(t), chance: seeded(t)}
	_, j.secret = m.token(m.organization())
	j.start()
	return j
}

// start starts the server where it always was: forms name its address.
func (j *journey) start() {
	j.Helper()
	s, ready := j.machine.begin(j.machine.onStore("serve", "--listen", j.address))
	if !<-ready {
		j.Fatalf("the server ended before it was ready: %v\n%s", s.failure, s.logs())
	}
	j.server = s
	if j.secret != "" {
		j.client = s.client(j.secret, client.WithRetry(20, time.Minute))
	}
}

// crash kills the server, some time within the next moment, and starts another.
func (j *journey) crash(within time.Duration) {
	j.Helper()
	if within > 0 {
		<-time.After(time.Duration(j.chance.Int64N(int64(within))))
	}
	j.server.kill()
	j.start()
}

// upload sends a file, again if another was in its way: S3 servers may answer that a
// folder is just being removed.
func (j *journey) upload(r *client.Reservation, file []byte) {
	j.Helper()
	testkit.Until(j.T, "the file is taken", func() bool {
		err := j.client.Upload(context.Background(), r, bytes.NewReader(file))
		if err != nil {
			j.Logf("upload: %v", err)
		}
		return err == nil
	})
}

// cut sends half of a file and goes away.
func (j *journey) cut(r *client.Reservation, file []byte) {
	j.Helper()
	err := j.client.Upload(context.Background(), r,
		&torn{Reader: bytes.NewReader(file), at: int64(len(file) / 2), then: j.server.kill})
	if err == nil {
		j.Error("half a file was taken")
	}
	j.start()
}

// torn is a file that ends in the middle, after something has happened.
type torn struct {
	*bytes.Reader
	at   int64
	then func()
}

var errTorn = errors.New("the file was torn")

// Read reads to the middle.
func (f *torn) Read(p []byte) (int, error) {
	left := f.at - (f.Size() - int64(f.Len()))
	if left <= 0 {
		f.then()
		return 0, errTorn
	}
	return f.Reader.Read(p[:min(int64(len(p)), left)])
}

// await asks until the capture has the status.
func (j *journey) await(session, want string) *client.Capture {
	j.Helper()
	var c *client.Capture
	testkit.Until(j.T, "the capture is "+want, func() bool {
		var err error
		if c, err = j.client.Capture(context.Background(), session); err != nil {
			j.Fatalf("%v\n%s", err, tail(j.server.logs()))
		}
		if c.Status != want && (c.Status == "error" || c.Status == "completed") {
			j.Fatalf("the capture is %s (%v), and not %s\n%s", c.Status, c.Error, want, tail(j.server.logs()))
		}
		return c.Status == want
	})
	return c
}

// TestAFileGoesAllTheWayHoweverOftenTheServerIsKilled reserves a place, uploads a
// file, has it read, reads it back and deletes it, and kills the server at every
// step, some steps at a moment that nobody chose. In the end no file is left.
func TestAFileGoesAllTheWayHoweverOftenTheServerIsKilled(t *testing.T) {
	testkit.Long(t)
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, left := where.setUp(t)
			j := &journey{T: t, machine: m, address: freeAddress(t), chance: seeded(t)}
			org := m.organization()
			_, j.secret = m.token(org)
			j.start()
			ctx := context.Background()
			athlete, err := j.client.CreateAthlete(ctx, client.AthleteFields{FirstName: ptr("Ada")})
			if err != nil {
				t.Fatal(err)
			}
			file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 40), Frames: 2000,
				Analogs: c3dtest.Many("A", 4), PerFrame: 5})

			r, err := j.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d", AthleteIDs: []string{athlete.ID},
				Activity: "Jump", Movement: "Squat"})
			if err != nil {
				t.Fatal(err)
			}
			j.crash(0)
			if c := j.await(r.SessionID, "awaiting_upload"); c.AthleteID == nil || *c.AthleteID != athlete.ID {
				t.Errorf("the reservation is %+v", c)
			}
			j.cut(r, file)
			j.await(r.SessionID, "awaiting_upload")
			j.upload(r, file)
			j.crash(0)
			j.crash(300 * time.Millisecond)
			c := j.await(r.SessionID, "completed")
			j.crash(0)
			j.readBack(c, file)

			_, err = j.client.Correct(ctx, r.SessionID,
				client.Correction{Activity: ptr("golf"), Movement: ptr("swing")})
			if err != nil {
				t.Fatal(err)
			}
			j.crash(100 * time.Millisecond)
			testkit.Until(t, "the tables lie under the new labels", func() bool {
				return slices.ContainsFunc(left(),
					func(name string) bool { return containsAll(name, "motion/", "activity=golf") }) && len(left()) == 3
			})
			j.readBack(c, file)

			// A second one is deleted while it is read, a third before it has come.
			second, err := j.client.Reserve(ctx,
				client.NewCapture{FileName: "walk.c3d", AthleteIDs: []string{athlete.ID}})
			if err != nil {
				t.Fatal(err)
			}
			j.upload(second, file)
			if _, err := j.client.Reserve(ctx,
				client.NewCapture{FileName: "never.trc", AthleteIDs: []string{athlete.ID}}); err != nil {
				t.Fatal(err)
			}
			if _, err := j.client.DeleteAthlete(ctx, athlete.ID); err != nil {
				t.Fatal(err)
			}
			j.server.kill()
			j.start()
			for _, session := range []string{r.SessionID, second.SessionID} {
				if _, err := j.client.Motion(ctx, session); status(err) != 404 {
					t.Errorf("after the erasure of its athlete a capture answers %v", err)
				}
			}
			testkit.Until(t, "no file is left", func() bool { return len(left()) == 0 })
		})
	}
}

// readBack reads what was uploaded, in all its forms.
func (j *journey) readBack(c *client.Capture, file []byte) {
	j.Helper()
	ctx := context.Background()
	m, err := j.client.Motion(ctx, c.SessionID)
	if err != nil {
		j.Fatalf("%v\n%s", err, tail(j.server.logs()))
	}
	if m.Frames != 2000 || len(m.Channels) != 44 || c.FPSDetected == nil || m.Rate == nil || *m.Rate != *c.FPSDetected {
		j.Errorf("of %d frames, %d channels at %v (%v)", m.Frames, len(m.Channels), m.Rate, c.FPSDetected)
	}
	point, analog := m.Channels[0].Name, m.Channels[41].Name
	f, err := j.client.Frames(ctx, c.SessionID, client.FrameQuery{Channels: point + "," + analog, From: 1990})
	if err != nil {
		j.Fatal(err)
	}
	if f.Frames != 10 || len(f.Columns[point+"_x"]) != 10 || len(f.Columns[analog]) != 10 ||
		f.Columns["frame"][9] != 1999 {
		j.Errorf("frames %+v", f)
	}
	whole, err := j.client.File(ctx, c.SessionID, client.FileQuery{})
	if err != nil {
		j.Fatal(err)
	}
	got, err := io.ReadAll(whole)
	if err := errors.Join(err, whole.Close()); err != nil || !bytes.Equal(got, file) {
		j.Errorf("the file came back as %d bytes of %d: %v", len(got), len(file), err)
	}
}

func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !bytes.Contains([]byte(s), []byte(p)) {
			return false
		}
	}
	return true
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestOnABucketTheFirstFileCountsAndALateOneIsRemoved sends two files by one form,
// and one by the form of a capture that is gone.
func TestOnABucketTheFirstFileCountsAndALateOneIsRemoved(t *testing.T) {
	testkit.Long(t)
	m, left := storages[1].setUp(t)
	j := &journey{T: t, machine: m, address: "127.0.0.1:0", chance: seeded(t)}
	_, j.secret = m.token(m.organization())
	j.start()
	ctx := context.Background()
	first := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 2), Frames: 10})
	r, err := j.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d"})
	if err != nil {
		t.Fatal(err)
	}
	j.upload(r, first)
	j.await(r.SessionID, "completed")
	j.upload(r, c3dtest.File(c3dtest.Options{Points: c3dtest.Many("Q", 3), Frames: 20}))
	testkit.Until(t, "the second file is removed unread", func() bool {
		return !slices.ContainsFunc(left(), func(name string) bool { return containsAll(name, "landing/") })
	})
	if m, err := j.client.Motion(ctx, r.SessionID); err != nil || m.Frames != 10 || len(m.Channels) != 2 {
		t.Errorf("after a second file the recording is %+v, %v", m, err)
	}
	gone, err := j.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d"})
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range []string{gone.SessionID, r.SessionID} {
		if _, err := j.client.DeleteCapture(ctx, session); err != nil {
			t.Fatal(err)
		}
	}
	j.upload(gone, first)
	testkit.Until(t, "no file is left", func() bool { return len(left()) == 0 })
}
