package httpapi

import "testing"

func TestTheMostWantedTypeIsChosen(t *testing.T) {
	const json, csv, parquet = "application/json", "text/csv", "application/vnd.apache.parquet"
	for _, c := range []struct {
		want   string
		fields []string
	}{
		{json, nil},
		{json, []string{""}},
		{json, []string{"*/*"}},
		{json, []string{"text/html"}},
		{json, []string{"application/*"}},
		{csv, []string{"text/csv"}},
		{csv, []string{"Text/CSV"}},
		{csv, []string{"text/csv;charset=utf-8"}},
		{csv, []string{"text/*"}},
		{csv, []string{"text/html, text/csv;q=0.1"}},
		{csv, []string{"text/html", "text/csv;q=0.1"}},
		{csv, []string{"*/*;q=0.1, text/csv"}},
		{csv, []string{"application/json;q=0.5,text/csv"}},
		{csv, []string{"application/json;q=0, text/csv;q=0.001"}},
		{csv, []string{"*/*, application/json;q=0, application/*;q=0.2"}},
		{json, []string{"application/json, text/csv"}},
		{json, []string{"text/csv, application/json"}},
		{json, []string{"text/csv;q=0, */*"}},
		{json, []string{"text/csv;q=0"}},
		{json, []string{"text/csv;q=2"}},
		{json, []string{"text/csv;q=x"}},
		{json, []string{"text/csv;q=-1"}},
		{json, []string{"text/csv;q=1e9"}},
		{parquet, []string{"application/vnd.apache.parquet"}},
		{parquet, []string{"application/*, application/json;q=0.9"}},
		{parquet, []string{" application/vnd.apache.parquet ; q=1 ,application/json; q=0.9"}},
	} {
		if got := accepted(c.fields, json, csv, parquet); got != c.want {
			t.Errorf("%q gives %s, want %s", c.fields, got, c.want)
		}
	}
}
