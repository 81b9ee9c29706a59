package bench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/kinebase/kinebase/internal/store/db"
)

// recomputed is how many recordings are measured again; a tenth in a quick run.
const recomputed = 10_000

// aJump is a file of two seconds and a half of a vertical force at 1,000 Hz: standing, a jump and a landing.
func aJump(weight float64) string {
	var text strings.Builder
	text.WriteString("time (s),Fz (N)\n")
	for i := range 2500 {
		at, force := float64(i)/1000-0.7, weight*(1+0.001*math.Sin(float64(i)))
		switch {
		case at < 0:
		case at < 0.4:
			force = weight * (1 - 0.5*math.Sin(math.Pi*at/0.4))
		case at < 0.85:
			force = weight * (1 + 1.25*math.Sin(math.Pi*(at-0.4)/0.45))
		case at < 1.27:
			force = 0
		case at < 1.57:
			force = 4 * weight * math.Sin(math.Pi*(0.02+0.98*(at-1.27)/0.3))
		}
		fmt.Fprintf(&text, "%.3f,%.2f\n", float64(i)/1000, force)
	}
	return text.String()
}

// recomputes measures how long it takes to measure recordings again that another version of the library has
// measured, as `kinebase measure` does.
func (b *bench) recomputes(engine string, c *cluster) (err error) {
	count := recomputed
	if b.captures < 1_000_000 { // a quick run
		count /= 10
	}
	operation := fmt.Sprintf("%s: %d recordings of a jump measured again", engine, count)
	if !b.wanted(operation) {
		return nil
	}
	if err := os.MkdirAll(folder(), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(folder(), "recompute-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	const name = "recompute_jumps"
	var database []string
	outdate := func(statement string) error {
		return executeSQLite(b.ctx, filepath.Join(dir, "data", db.FileName), statement)
	}
	if c != nil {
		if err := c.recreate(b.ctx, "recompute_", name); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.recreate(b.ctx, "recompute_")) }()
		database = []string{"KINEBASE_DATABASE_URL=" + c.url(name)}
		outdate = func(statement string) error { return execute(b.ctx, c.address(clusterOwner, name), statement) }
	}
	lab, err := install(dir, database...)
	if err != nil {
		return err
	}
	if err := lab.jumps(count); err != nil {
		return err
	}
	if err := outdate("UPDATE recording SET computed_by = 'another'"); err != nil {
		return err
	}
	measure := lab.command("measure", "--all", "--workers=2", "--json")
	var out []byte
	took, err := seconds(func() error { out, err = measure.CombinedOutput(); return err })
	if want := fmt.Sprintf(`"recordings":%d,"changed":0,"values":0,"failed":0`, count); err == nil &&
		!strings.Contains(string(out), want) {
		err = errors.New("not all were measured as before")
	}
	if err != nil {
		return fmt.Errorf("measure: %w: %s", err, out)
	}
	used := (measure.ProcessState.UserTime() + measure.ProcessState.SystemTime()).Seconds()
	b.add(row{operation: operation, ours: fmt.Sprintf("%s s, %s s of processor time, %s ms each", figure(took),
		figure(used), figure(1e3*used/float64(count)))})
	return nil
}

// jumps imports so many of them, each of another weight.
func (l *installation) jumps(count int) error {
	folder := filepath.Join(l.folder, "jumps")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range count {
		name := filepath.Join(folder, fmt.Sprintf("%05d.csv", i))
		if err := os.WriteFile(name, []byte(aJump(500+500*chance.Float64())), 0o600); err != nil {
			return err
		}
	}
	table := "file,activity,movement\n*.csv,jump,countermovement\n"
	if err := os.WriteFile(filepath.Join(folder, "kinebase.csv"), []byte(table), 0o600); err != nil {
		return err
	}
	if out, err := l.command("import", folder, "--org="+l.organization).CombinedOutput(); err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	return nil
}
