package testkit

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestACopyHasWhatWasPreparedOnceAndIsTheTestsOwn(t *testing.T) {
	folders, databases := 0, 0
	template := Template{Prepare: func(folder, url string) error {
		if url == "" {
			folders++
			return os.WriteFile(filepath.Join(folder, "notes"), []byte("prepared"), 0o600)
		}
		databases++
		conn, err := pgx.Connect(context.Background(), url)
		if err != nil {
			return err
		}
		if _, err := conn.Exec(context.Background(), "CREATE TABLE notes AS SELECT 'prepared' AS text"); err != nil {
			return err
		}
		return conn.Close(context.Background())
	}}
	for range 3 {
		file := filepath.Join(template.Folder(t), "notes")
		if got, err := os.ReadFile(file); err != nil || string(got) != "prepared" {
			t.Errorf("the copy of the folder has %q, %v", got, err)
		}
		if err := os.WriteFile(file, []byte("changed"), 0o600); err != nil {
			t.Fatal(err)
		}
		conn := connect(t, template.Database(t))
		if got := ask[string](t, conn, "SELECT string_agg(text, ',') FROM notes"); got != "prepared" {
			t.Errorf("the copy of the database has %q", got)
		}
		if !ask[bool](t, conn, "SELECT 'a' < 'B' AND tableowner = current_user FROM pg_tables WHERE tablename = "+
			"'notes'") {
			t.Error("the copy is not as the database that was prepared")
		}
		run(t, conn, "UPDATE notes SET text = 'changed'")
	}
	if folders != 1 || databases != 1 {
		t.Errorf("%d folders and %d databases were prepared", folders, databases)
	}
}
