//go:build campaign

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// theReleaseBefore builds the program of the newest release; where there is none, of the last commit before the newest
// migration of PostgreSQL.
func theReleaseBefore(t *testing.T) (file, commit string) {
	t.Helper()
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", "../.."}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("describe", "--tags", "--match=v[0-9]*", "--abbrev=0")
	if err != nil {
		newest, err := git("log", "-1", "--format=%H", "--diff-filter=A", "--", "internal/store/migrations/postgres",
			"internal/store/migrations/both/*.sql")
		if err != nil || newest == "" {
			t.Fatalf("git does not know the newest migration: %v", err)
		}
		commit = newest + "^"
	}
	clone := filepath.Join(t.TempDir(), "before")
	if _, err := git("worktree", "add", "--detach", clone, commit); err != nil {
		t.Fatalf("git worktree add: %v", err)
	}
	t.Cleanup(func() {
		if _, err := git("worktree", "remove", "--force", clone); err != nil {
			t.Error(err)
		}
	})
	file = filepath.Join(t.TempDir(), "kinebase-before")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", file, "./cmd/kinebase")
	build.Dir, build.Env = clone, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	return file, commit
}

// TestCampaignThreeServersAreUpgradedUnderLoad begins with three servers of the release before, and puts one of this
// commit in the place of each, one after the other. The first of them migrates while the others go on. No request is
// lost.
func TestCampaignThreeServersAreUpgradedUnderLoad(t *testing.T) {
	file, commit := theReleaseBefore(t)
	for range rounds(t, 5) {
		place := map[string]string{"database-url": testkit.Postgres(t).Database(t)}
		f := fleetAt(t, place, testkit.Bucket(t), testkit.Redis(t).Addr, file)
		f.load()
		f.progress("with three servers of " + commit)
		f.file = ""
		f.restart("with one more server upgraded")
		f.settle()
		f.inspect()
		t.Logf("%d writes, %d files, %d exports; %d refused, %d without an answer", f.acknowledged.Load(),
			len(f.filmed), len(f.exported), f.refused.Load(), f.lost.Load())
	}
}
