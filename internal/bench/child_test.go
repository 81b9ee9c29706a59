package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/internal/testkit/fixture"
)

// The roles of a child.
const (
	roleServe  = "serve"
	roleImport = "import"
	roleIngest = "ingest"
	roleMotion = "motion"
	roleExport = "export"
)

// The ports that a server can be given. All else of it is the same.
const (
	portKinebase = "kinebase"
	portConstant = "constant"
	portObvious  = "obvious"
)

// job is what a child is told.
type job struct {
	Role string
	Port string

	Data string // the folder of the store, or
	URL  string // its database

	Tables string // the obvious implementation's own: a file, or the form of an export; or
	// TablesURL is its database.
	TablesURL string

	Answers  int // bytes of remembered answers; 0: as many as serve has
	LogLevel string

	Organization fixture.Organization // who asks
	Manifests    []manifestFile
	Writers      int  // of an ingest
	Batch        int  // captures that a writer commits together, or rows of an export
	Cost         bool // an ingest gives µs of processor time a capture, in the place of captures a second
}

// manifestFile is one organization's.
type manifestFile struct{ Organization, Path string }

func (j job) run() error {
	switch j.Role {
	case roleServe:
		return j.serve()
	case roleImport:
		return j.importManifests()
	case roleIngest:
		return j.ingest()
	case roleMotion:
		return j.motion()
	case roleExport:
		return j.export()
	}
	return fmt.Errorf("there is no role %q", j.Role)
}

// child is a running child. It is told what to do by lines on its standard
// input and answers each with one line.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(j job) (*child, error) {
	raw, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self)}
	c.cmd.Env = append(os.Environ(), workEnv+"="+string(raw))
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	return c, c.cmd.Start()
}

// line reads what the child says next.
func (c *child) line() (string, error) {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("a child of the benchmark ended: %w", err)
	}
	line = strings.TrimSpace(line)
	if text, failed := strings.CutPrefix(line, "error "); failed {
		return "", fmt.Errorf("a child of the benchmark: %s", text)
	}
	return line, nil
}

// tell has the child do something and gives its answer.
func (c *child) tell(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		return "", err
	}
	return c.line()
}

// end closes the child's input, which makes it stop, and waits for it.
func (c *child) end() error {
	if err := c.in.Close(); err != nil {
		return err
	}
	return c.cmd.Wait()
}

// peak gives the most memory that a process has had, in bytes (VmHWM of proc(5)).
func peak(pid string) (int64, error) {
	raw, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("the kernel does not tell the memory of process %s", pid)
}

func (c *child) peak() (int64, error) { return peak(strconv.Itoa(c.cmd.Process.Pid)) }
