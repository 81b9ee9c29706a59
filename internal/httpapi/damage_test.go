package httpapi_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// tables gives the paths of the motion tables of a server on a disk.
func tables(t *testing.T, a *apptest.App) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(a.Place["data"], func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") && !e.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	return paths
}

func TestNoNumberOfADamagedTableIsGivenOut(t *testing.T) {
	testkit.Long(t)
	seed := rand.Uint64()
	t.Log("seed", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	file, _ := standing(t, chance, false)
	r := reserve(t, a, token, `{"file_name":"a.c3d"}`)
	upload(t, a, r, file).Want(204)
	if status := settled(a, token, r.SessionID); status != "completed" {
		t.Fatalf("the file is %s", status)
	}
	frames := "/captures/" + r.SessionID + "/frames"
	queries := []string{"", "?rows=samples", "?channels=plate1_force"}
	whole := map[string]string{}
	for _, q := range queries {
		whole[q] = string(a.Get(frames+q, token).Want(200).Body)
	}
	refused := 0
	for _, path := range tables(t, a) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			at := chance.IntN(len(b))
			spoiled := []byte(string(b))
			spoiled[at] ^= 1 << chance.IntN(8)
			if err := os.WriteFile(path, spoiled, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, q := range queries {
				got := a.Get(frames+q, token)
				switch {
				case got.Status == 200 && string(got.Body) == whole[q]:
				case got.Status == 500 && strings.Contains(string(got.Body), "damaged") &&
					!strings.Contains(string(got.Body), a.Place["data"]):
					refused++
				default:
					t.Errorf("byte %d of %s, %q: %d %.200s", at, filepath.Base(path), q, got.Status, got.Body)
				}
			}
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	if logs := a.Logs(); !strings.Contains(logs, ".parquet: the motion table is damaged") {
		t.Error("the log does not name the file")
	}
}

func TestADamagedTableIsMadeAgainWhenTheLabelsOfItsCaptureAreCorrected(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	id := recorded(t, a, token, `{"file_name":"a.trc"}`)
	whole := string(a.Get("/captures/"+id+"/frames", token).Want(200).Body)
	for _, path := range tables(t, a) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[50] ^= 1
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.Get("/captures/"+id+"/frames", token).Want(500)
	a.Do("PATCH", "/captures/"+id, token, `{"activity":"jump","movement":"broad"}`, "Content-Type",
		"application/json").Want(200)
	if status := settled(a, token, id); status != "completed" {
		t.Fatal(status)
	}
	a.Until("the table is there again", func() bool {
		got := a.Get("/captures/"+id+"/frames", token)
		return got.Status == 200 && string(got.Body) == whole
	})
	if logs := a.Logs(); !strings.Contains(logs, ".parquet: the motion table is damaged") {
		t.Error("the log does not name the file")
	}
}

func TestAFileWhoseBytesHaveChangedSinceItCameIsNeitherConvertedNorReadAgain(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	token := a.Token(a.Organization())
	id := recorded(t, a, token, `{"file_name":"a.trc"}`)
	a.Get("/captures/"+id+"/file?format=csv", token).Want(200)
	spoilOriginal(t, a)

	got := a.Get("/captures/"+id+"/file?format=csv", token).Want(500)
	if !strings.Contains(string(got.Body), "not the one that came") || strings.Contains(string(got.Body), "original/") {
		t.Errorf("the caller hears %s", got.Body)
	}
	a.Get("/captures/"+id+"/frames", token).Want(200) // the tables are whole
	a.Do("POST", "/captures/"+id+"/reprocess", token, "").Want(200)
	if status := settled(a, token, id); status != "error" {
		t.Fatalf("a changed file is read again, and the capture is %s", status)
	}
	if body := string(a.Get("/captures/"+id, token).Want(200).Body); !strings.Contains(body, "not the one that came") {
		t.Errorf("the capture says %s", body)
	}
	if logs := a.Logs(); !strings.Contains(logs, "damaged") || !strings.Contains(logs, "original/") {
		t.Error("the log does not name the file")
	}
}

// spoilOriginal changes a digit of the one file that came.
func spoilOriginal(t *testing.T, a *apptest.App) {
	t.Helper()
	spoiled := 0
	err := filepath.WalkDir(filepath.Join(a.Place["data"], "files", "original"),
		func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			at := strings.LastIndexByte(string(b), '1')
			b[at] = '7'
			spoiled++
			return os.WriteFile(path, b, 0o600)
		})
	if err != nil || spoiled != 1 {
		t.Fatal(spoiled, err)
	}
}
