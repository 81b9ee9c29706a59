package process_test

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/process/confine"
	"github.com/kinebase/kinebase/internal/testkit/need"
	"github.com/kinebase/kinebase/upload"
)

// nobody and somebody are accounts that own nothing.
const nobody, somebody = 65534, 65533

func lockForever() { runtime.LockOSThread() }

// strict is a runner whose children have another account where this process is root,
// with a folder for temporary files that every account may enter.
func strict(t *testing.T) *process.Runner {
	t.Helper()
	if err := confine.Guard(); err != nil {
		t.Fatal(err)
	}
	dir := public(t)
	r := runner(t)
	r.Binary, r.UID, r.Dir = "/proc/self/exe", nobody, dir
	return r
}

// public is a folder that every account may enter.
func public(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kinebase-test-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// serve listens on all kinds of sockets, as a server does and its neighbours.
func serve(t *testing.T, dir string) targets {
	t.Helper()
	secret := [8]byte{'s', 'e', 'c', 'r', 'e', 't'}
	s := targets{
		Server: os.Getpid(), Address: ptr(&secret), Folder: dir,
		Unix: filepath.Join(dir, "server.sock"), Datagrams: filepath.Join(dir, "log.sock"),
		Abstract: "@kinebase-test-" + strconv.Itoa(os.Getpid()),
	}
	t.Cleanup(func() { runtime.KeepAlive(&secret) })
	listen := func(network, address string) string {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l.Addr().String()
	}
	packets := func(network, address string) string {
		l, err := net.ListenPacket(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l.LocalAddr().String()
	}
	s.TCP, s.UDP = listen("tcp", "127.0.0.1:0"), packets("udp", "127.0.0.1:0")
	s.TCP6 = s.TCP
	if l, err := net.Listen("tcp", "[::1]:0"); err == nil {
		t.Cleanup(func() { l.Close() })
		s.TCP6 = l.Addr().String()
	}
	listen("unix", s.Unix)
	packets("unixgram", s.Datagrams)
	listen("unix", s.Abstract)
	for name, at := range map[string]*string{"kinebase.db": &s.Database, "upload.mp4": &s.Upload} {
		*at = filepath.Join(dir, name)
		if err := os.WriteFile(*at, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, open := range []string{*at, s.Unix, s.Datagrams} { // no account is what keeps it out
			if err := os.Chmod(open, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// setuidProgram is a program that runs as root, whoever starts it; "" where this process
// is not root.
func setuidProgram(t *testing.T, dir string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		return ""
	}
	from, err := os.ReadFile("/usr/bin/id")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "id")
	if err := os.WriteFile(program, from, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(program, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	return program
}

func TestAHostileVideoProcessorFindsNoWayOut(t *testing.T) {
	for _, part := range confine.Look(nobody) {
		if part.Wanted && !part.Held && part.Name != confine.Server {
			t.Errorf("this machine lacks %s: %s", part.Name, part.Why)
		}
	}
	r := strict(t)
	named := public(t)
	s := serve(t, public(t))
	s.Setuid = setuidProgram(t, named)
	r.Folders = []string{named}
	ask, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	r.Video = []string{"/proc/self/exe", hostile, string(ask), "{output}.csv", "{input}"}
	made, err := r.Derive(t.Context(), upload.Source{Name: "a.mp4"}, nil, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	for name, said := range reported(t, made, len(tries)+len(elsewhere)) {
		if said == "" {
			t.Errorf("%s: it got out", name)
		}
	}
	if text, err := os.ReadFile(s.Database); err != nil || string(text) != "secret" {
		t.Errorf("the database holds %q: %v", text, err)
	}

	// Without confinement most of it works: else the test would show nothing.
	reports := filepath.Join(t.TempDir(), "reports")
	free := exec.Command("/proc/self/exe", hostile, string(ask), reports)
	free.Dir, free.Env = t.TempDir(), []string{"TMPDIR=" + t.TempDir()}
	if out, err := free.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(reports)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var never []string
	for name, said := range reported(t, file{f}, len(tries)+len(elsewhere)) {
		if said != "" {
			never = append(never, name+" ("+said+")")
		}
	}
	slices.Sort(never)
	t.Logf("not possible anyway: %s", strings.Join(never, ", "))
	if most := len(tries) / 2; os.Geteuid() == 0 && len(never) > 6 || len(never) > most {
		t.Errorf("%d of %d tries fail for a program that nothing confines", len(never), len(tries))
	}
}

func reported(t *testing.T, f upload.File, count int) map[string]string {
	t.Helper()
	text, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	if err := json.Unmarshal(text, &said); err != nil || len(said) != count {
		t.Fatalf("%v: %s", err, text)
	}
	return said
}

func TestAReaderThatWasTakenOverFindsNoWayOut(t *testing.T) {
	s := serve(t, public(t))
	ask, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	captive := exec.Command("/proc/self/exe", hostileReader, string(ask))
	captive.Dir, captive.Env = public(t), []string{"TMPDIR=" + t.TempDir()}
	captive.Stderr = os.Stderr
	out, err := captive.Output()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	if err := json.Unmarshal(out, &said); err != nil || len(said) != len(tries)+len(alone) {
		t.Fatalf("%v: %s", err, out)
	}
	for name, said := range said {
		if said == "" {
			t.Errorf("%s: it got out", name)
		}
	}
	withoutRoot(t, t.Name())
}

// withoutRoot runs tests of this program once more as an ordinary account, where this
// one is root.
func withoutRoot(t *testing.T, run string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	dir := public(t)
	if err := os.Chown(dir, somebody, somebody); err != nil {
		t.Fatal(err)
	}
	again := exec.Command("/proc/self/exe", "-test.run=^"+run+"$", "-test.v")
	again.Dir, again.Env = "/", []string{"TMPDIR=" + dir, "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+run) {
		t.Errorf("as an ordinary account: %v\n%s", err, out)
	}
	t.Logf("as an ordinary account:\n%s", out)
}

func TestAHostileVideoProcessorOfAnOrdinaryAccountFindsNoWayOut(t *testing.T) {
	withoutRoot(t, "TestAHostileVideoProcessorFindsNoWayOut")
}

func TestAnHonestVideoProcessorInPythonWorksConfined(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		need.Missing(t, "no /usr/bin/python3 to be a video processor; to run this test: apt-get install "+
			"python3-minimal")
	}
	r := strict(t)
	packages := public(t)
	for name, text := range map[string]string{
		"pose/__init__.py": "def rows(data):\n    return [(i / 25, len(data)) for i in range(10)]\n",
		"model.bin":        "weights",
	} {
		name = filepath.Join(packages, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.Folders = []string{packages}
	r.Video = []string{python, "-c", `
import sys, os, shutil, subprocess, tempfile, threading, concurrent.futures, multiprocessing, getpass
packages, source, target = sys.argv[1:]
sys.path.insert(0, packages)
import pose
assert open(packages + "/model.bin").read() == "weights"
data = open(source, "rb").read()
assert subprocess.run(["wc", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout.strip() == str(len(data)).encode()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(len, [data] * 4)) == 4 * len(data)
ours, theirs = multiprocessing.Pipe()
child = multiprocessing.Process(target=lambda: theirs.send(len(data)))
child.start()
assert ours.recv() == len(data)
child.join()
with tempfile.TemporaryDirectory() as folder:
    made = os.path.join(folder, "made.csv")
    with open(made, "w") as out:
        out.write("time,size\n" + "".join("%s,%s\n" % row for row in pose.rows(data)))
    shutil.copy(made, target)
open(os.devnull, "w").write("x")
os.urandom(8)
`, packages, "{input}", "{output}.csv"}
	got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mp4"}, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if info := infoOf(t, got); info.Frames != 10 || got.Rate != 25 {
		t.Errorf("%+v", info)
	}
	withoutRoot(t, t.Name())
}

func TestAReaderWorksConfined(t *testing.T) {
	r := strict(t)
	got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.c3d"}, remoteOf(small()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if rows := table(t, got.Table).Rows(); rows != 20 {
		t.Errorf("%d rows", rows)
	}
	withoutRoot(t, t.Name())
}
