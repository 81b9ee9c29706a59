package store

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
)

// forms are a result in each of its forms; page has the first 500 rows as a page has them.
type forms struct {
	csv, ndjson, parquet bytes.Buffer
	page                 []json.RawMessage
}

// inEveryForm writes the rows of a finished export that needs no tables.
func inEveryForm(t *testing.T, s *Store, sc organization.Scope, r export.Result) *forms {
	t.Helper()
	reader := export.NewReader(nil, sc.Organization.String(), r, func(row int64) ([]export.Part, error) {
		return s.Parts(t.Context(), sc, r.Job.ID, r.Version, row, 2)
	})
	f := new(forms)
	must(t, export.WriteCSV(t.Context(), &f.csv, reader, export.Budget))
	must(t, export.WriteNDJSON(t.Context(), &f.ndjson, reader, export.Budget))
	must(t, export.WriteParquet(t.Context(), &f.parquet, reader, export.Budget))
	page, err := export.AppendPage(t.Context(), nil, reader, 0, 500)
	must(t, err)
	var whole struct{ Results []json.RawMessage }
	must(t, json.Unmarshal(page, &whole))
	f.page = whole.Results
	return f
}
