package testkit

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Bucket is an empty bucket of one test's own, and the way into it.
type S3Bucket struct {
	Endpoint  string // http://127.0.0.1:…
	Region    string
	Name      string
	AccessKey string
	SecretKey string
}

// S3Server is a versitygw over a folder, on a port that only this machine reaches.
type S3Server struct {
	address string
	secret  string
	dir     *folder
	proc    *process
	output  bytes.Buffer
	buckets int
}

// sharedS3 is the one server of a test process.
var sharedS3 struct {
	sync.Mutex
	server *S3Server
}

const (
	s3Region = "us-east-1"
	s3Access = "testkit"
	s3Guest  = "guest" // an account of tools/versitygw
)

// Bucket gives an empty bucket on an S3 server that the first test to ask starts
// and that ends with the test process. Without the server's program the test is
// skipped (see Missing), as it is in a short run.
func Bucket(t testing.TB) S3Bucket {
	t.Helper()
	sharedS3.Lock()
	defer sharedS3.Unlock()
	if sharedS3.server == nil {
		s := beginS3(t)
		atEnd(t, s.stop)
		sharedS3.server = s
	}
	return sharedS3.server.Bucket(t)
}

// S3 starts an S3 server of one test's own, which the test may Stop, and ends it with the
// test.
func S3(t testing.TB) *S3Server {
	t.Helper()
	s := beginS3(t)
	t.Cleanup(s.stop)
	return s
}

func beginS3(t testing.TB) *S3Server {
	t.Helper()
	Long(t)
	program := tool(t, "versitygw", "an S3 server")
	s, err := startS3(program)
	if err != nil {
		t.Fatalf("no S3 server: %v", err)
	}
	return s
}

// Bucket gives an empty bucket. One call at a time.
func (s *S3Server) Bucket(t testing.TB) S3Bucket {
	t.Helper()
	s.buckets++
	b := S3Bucket{"http://" + s.address, s3Region, fmt.Sprintf("test-%d", s.buckets), s3Access, s.secret}
	client, err := b.client()
	if err == nil {
		err = client.MakeBucket(t.Context(), b.Name, minio.MakeBucketOptions{Region: b.Region})
	}
	if err != nil {
		t.Fatalf("no bucket: %v", err)
	}
	return b
}

// Allowing gives the bucket as an access key sees it that may do some things alone: actions of S3 with the bucket,
// such as s3:ListBucket, and with its objects, such as s3:GetObject. One set of actions counts at a time.
func (b S3Bucket) Allowing(t testing.TB, withBucket, withObjects []string) S3Bucket {
	t.Helper()
	type statement struct {
		Effect, Principal string
		Action            []string
		Resource          string
	}
	all := []statement{}
	for resource, actions := range map[string][]string{"": withBucket, "/*": withObjects} {
		if len(actions) > 0 {
			all = append(all, statement{"Allow", s3Guest, actions, "arn:aws:s3:::" + b.Name + resource})
		}
	}
	policy, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": all})
	if err != nil {
		t.Fatal(err)
	}
	client, err := b.client()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.SetBucketPolicy(t.Context(), b.Name, string(policy)); err != nil {
		t.Fatalf("no policy for the bucket: %v", err)
	}
	b.AccessKey = s3Guest
	return b
}

func (b S3Bucket) client() (*minio.Client, error) {
	return minio.New(strings.TrimPrefix(b.Endpoint, "http://"), &minio.Options{
		Creds:  credentials.NewStaticV4(b.AccessKey, b.SecretKey, ""),
		Region: b.Region, Transport: &http.Transport{DisableKeepAlives: true},
	})
}

// Stop freezes the server (SIGSTOP): connections stay open and new ones are taken by the
// kernel, but nothing is answered. It returns once it is frozen.
func (s *S3Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.proc.freeze(); err != nil {
		t.Fatalf("the S3 server cannot be stopped: %v", err)
	}
}

// Cont lets a frozen server go on (SIGCONT).
func (s *S3Server) Cont(t testing.TB) {
	t.Helper()
	if err := s.proc.thaw(); err != nil {
		t.Fatalf("the S3 server cannot be continued: %v", err)
	}
}

// startS3 starts a server and returns once it answers. A free port may be taken by
// another between looking and using it; then another is tried.
func startS3(program string) (*S3Server, error) {
	dir, err := newFolder("s3", nil, false)
	if err != nil {
		return nil, err
	}
	s := &S3Server{secret: rand.Text(), dir: dir}
	for range 5 {
		if err = s.start(program); err == nil {
			return s, nil
		}
	}
	s.stop()
	return nil, err
}

func (s *S3Server) start(program string) error {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = free.Addr().String()
	if err := free.Close(); err != nil {
		return err
	}
	s.output.Reset()
	cmd := exec.Command(program, s.address, s3Region, s.dir.path)
	cmd.Dir = s.dir.path
	cmd.Stdout, cmd.Stderr = &s.output, &s.output
	// Nothing of the developer's settings may change a test; and keys are not for the
	// list of processes.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir.path, "ROOT_ACCESS_KEY=" + s3Access,
		"ROOT_SECRET_KEY=" + s.secret}
	if s.proc, err = spawn(cmd, syscall.SIGKILL); err != nil {
		return err
	}
	up := until(Patience, func() bool { return !s.proc.running() || s.answers() })
	if !up || !s.proc.running() {
		s.proc.kill()
		return fmt.Errorf("versitygw does not come up; it says:\n%s", strings.TrimSpace(s.output.String()))
	}
	return nil
}

func (s *S3Server) answers() bool {
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + s.address + "/health")
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// stop ends the server and removes its folder.
func (s *S3Server) stop() {
	if s.proc != nil && s.proc.running() {
		s.proc.kill()
	}
	s.dir.remove()
}
