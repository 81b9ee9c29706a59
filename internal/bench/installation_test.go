package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	api "github.com/kinebase/kinebase/client"
)

// installation is the program as it is built for people, with a store and an organization in it.
type installation struct {
	program, folder     string
	database            []string // the variable that names it; none for SQLite
	organization, token string
}

// install builds the program into a folder, and makes an organization in a new store there.
func install(folder string, database ...string) (*installation, error) {
	l := &installation{program: filepath.Join(folder, "kinebase"), folder: folder, database: database}
	build := exec.Command("go", "build", "-trimpath", "-o", l.program, "github.com/kinebase/kinebase/cmd/kinebase")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return l, l.open()
}

func (l *installation) command(args ...string) *exec.Cmd {
	c := exec.Command(l.program, args...)
	c.Env = append(os.Environ(), "KINEBASE_DATA="+filepath.Join(l.folder, "data"), "KINEBASE_RATE_LIMIT=off",
		"KINEBASE_RATE_LIMIT_ORG=off", "KINEBASE_LOG_LEVEL=warn")
	c.Env = append(c.Env, l.database...)
	return c
}

func (l *installation) said(pattern string, args ...string) (string, error) {
	out, err := l.command(args...).CombinedOutput()
	found := regexp.MustCompile(pattern).Find(out)
	if err == nil && found == nil {
		err = errors.New("its answer is another one")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(found), nil
}

func (l *installation) open() (err error) {
	if l.organization, err = l.said("[0-9a-f-]{36}", "org", "create", "lab"); err != nil {
		return err
	}
	l.token, err = l.said("kb_[0-9A-Za-z]+", "token", "create", "--org="+l.organization, "--name=bench", "--role=admin")
	return err
}

// running is a server of an installation.
type running struct {
	cmd    *exec.Cmd
	caller *api.Client
}

// serve starts a server, and waits until it answers.
func (l *installation) serve(settings ...string) (*running, error) {
	c := l.command("serve", "--listen=127.0.0.1:0")
	c.Env = append(append(c.Env, "KINEBASE_LOG_LEVEL=info"), settings...)
	said, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	s := &running{cmd: c}
	lines := bufio.NewScanner(said)
	address := ""
	for lines.Scan() && address == "" {
		address = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`).FindString(lines.Text())
	}
	go func() {
		for lines.Scan() {
			_ = lines.Text() // the server must not wait for its log to be read
		}
	}()
	if s.caller, err = api.New("http://"+address+"/v1", l.token); err != nil {
		return nil, errors.Join(err, s.end())
	}
	for every := time.NewTicker(20 * time.Millisecond); ; <-every.C {
		if _, err = s.caller.ListCaptures(context.Background(), api.CaptureFilter{Limit: 1}); err == nil {
			return s, nil
		}
	}
}

// end stops the server.
func (s *running) end() error {
	return errors.Join(s.cmd.Process.Signal(syscall.SIGTERM), s.cmd.Wait())
}
