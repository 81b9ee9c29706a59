package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/payload"
)

// The tables that motion tables are joined with. Captures and metrics are exports. Athletes are not: what
// exports:read alone may read has names and no more of people. They are read as lists are, with athletes:read.

const tableOfAthletes = "athletes"

// table settles what --table asks for; people is true for the table of athletes.
func (c *exportCmd) table() (people bool, err error) {
	switch c.Table {
	case "":
		return false, nil
	case "captures", "metrics":
		if c.Shape != "" || c.RowFilter != "" {
			return false, usage("--table says what a row is: leave --shape and --row-filter out")
		}
		c.Shape = c.Table
		return false, nil
	case tableOfAthletes:
		if len(c.Captures)+len(c.Athletes)+len(c.Metrics) > 0 || c.Activity+c.Movement+c.From+c.To+c.DateMode+c.RowFilter+c.Shape+c.Job+
			c.Locale != "" {
			return false, usage("--table athletes has everybody, and takes --format, --spreadsheet and -o alone")
		}
		return true, nil
	}
	return false, usage("--table must be captures, athletes or metrics, not %q", c.Table)
}

// athleteRow is the type of a row of the table of athletes. It has a column for each field of client.Athlete, in their
// order and called as in the interface, but for the id: the tables are joined by it, so it is called as in the others.
var athleteRow = reflect.StructOf(athleteColumns())

func athleteColumns() (all []reflect.StructField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[client.Athlete]()) {
		name, form := f.Tag.Get("json"), ""
		if name == "id" {
			name = "athleteid"
		}
		switch f.Type {
		case reflect.TypeFor[string]():
		case reflect.TypeFor[*string]():
			form = ",optional"
		case reflect.TypeFor[*int]():
			f.Type, form = reflect.TypeFor[*int64](), ",optional"
		case reflect.TypeFor[*time.Time](): // a day: 1999-05-13
			f.Type, form = reflect.TypeFor[*string](), ",optional"
		case reflect.TypeFor[time.Time]():
			form = ",timestamp(millisecond)"
		default: // a list or an object, as JSON
			f.Type = reflect.TypeFor[string]()
		}
		tag := fmt.Sprintf(`parquet:"%s%s" json:"%s"`, name, form, name)
		all = append(all, reflect.StructField{Name: f.Name, Type: f.Type, Tag: reflect.StructTag(tag)})
	}
	return all
}

// athleteRowOf gives the row of an athlete, of type athleteRow.
func athleteRowOf(a *client.Athlete) (row reflect.Value, err error) {
	row = reflect.New(athleteRow).Elem()
	for field, of := range reflect.ValueOf(a).Elem().Fields() {
		to := row.FieldByIndex(field.Index)
		switch v := of.Interface().(type) {
		case string, *string:
			to.Set(of)
		case *int:
			if v != nil {
				to.Set(reflect.ValueOf(new(int64(*v))))
			}
		case *time.Time:
			if v != nil {
				to.Set(reflect.ValueOf(new(v.UTC().Format(time.DateOnly))))
			}
		case time.Time:
			to.Set(reflect.ValueOf(v.UTC()))
		default:
			text, err := json.Marshal(v)
			if err != nil {
				return row, err
			}
			to.SetString(string(text))
		}
	}
	return row, nil
}

// athleteCells are the values of a row as CSV has them; "" is missing.
func athleteCells(row reflect.Value) []string {
	cells := make([]string, row.NumField())
	for i := range cells {
		switch v := row.Field(i).Interface().(type) {
		case string:
			cells[i] = v
		case *string:
			if v != nil {
				cells[i] = *v
			}
		case *int64:
			if v != nil {
				cells[i] = strconv.FormatInt(*v, 10)
			}
		case time.Time:
			cells[i] = v.Format(payload.TimeLayout)
		}
	}
	return cells
}

// readings is how often the list is read at most until nobody comes or goes meanwhile.
const readings = 5

// everybody reads all athletes. A deletion between two pages shifts the later ones, so the list is read again then.
func everybody(ctx context.Context, server *client.Client) ([]reflect.Value, error) {
	for range readings {
		rows, seen := []reflect.Value{}, map[string]bool{}
		f := client.AthleteFilter{SortedBy: "created_at", Limit: client.MaxLimit}
		total := int64(-1)
		for same := true; same; {
			page, err := server.ListAthletes(ctx, f)
			if err != nil {
				return nil, err
			}
			for i := range page.Athletes {
				row, err := athleteRowOf(&page.Athletes[i])
				if err != nil {
					return nil, err
				}
				rows, seen[page.Athletes[i].ID] = append(rows, row), true
			}
			if total < 0 {
				total = page.TotalCount
			}
			if same = page.TotalCount == total; same && page.NextOffset == nil {
				if int64(len(rows)) == total && len(seen) == len(rows) {
					return rows, nil
				}
				break
			}
			if page.NextOffset != nil {
				f.Offset = *page.NextOffset
			}
		}
	}
	return nil, errors.New("athletes come and go while they are read: try again")
}

// exportPeople writes the table of athletes.
func (c *exportCmd) exportPeople(ctx context.Context, w *World) error {
	server, err := w.server(c.URL, c.Token)
	if err != nil {
		return err
	}
	out, err := c.open(w)
	if err != nil {
		return err
	}
	defer out.abandon()
	rows, err := everybody(ctx, server)
	if err != nil {
		return serverError(err)
	}
	if err := c.writePeople(out, rows); err != nil {
		return err
	}
	if err := out.keep(); err != nil {
		return err
	}
	if c.JSON {
		return w.json(struct {
			Rows  int    `json:"rows"`
			File  string `json:"file"`
			Bytes int64  `json:"bytes"`
		}{len(rows), c.Output, out.size})
	}
	to, file := w.Out, c.Output
	if file == "-" {
		to, file = w.Err, "standard output"
	}
	_, err = fmt.Fprintf(to, "Exported %s to %s (%s).\n", count(int64(len(rows)), "row"), file, megabytes(out.size))
	return err
}

// writePeople writes rows in the format that was asked for.
func (c *exportCmd) writePeople(to io.Writer, rows []reflect.Value) error {
	var b []byte
	switch c.Format {
	case "parquet":
		schema := parquet.NewSchema("athleteRow", parquet.SchemaOf(reflect.New(athleteRow).Interface()))
		file := parquet.NewWriter(to, schema, parquet.Compression(&parquet.Zstd))
		for _, row := range rows {
			if err := file.Write(row.Interface()); err != nil {
				return err
			}
		}
		return file.Close()
	case "ndjson":
		for _, row := range rows {
			line, err := json.Marshal(row.Interface())
			if err != nil {
				return err
			}
			b = append(append(b, line...), '\n')
		}
	default:
		if c.Spreadsheet {
			b = append(b, "\ufeff"...)
		}
		line := func(cells []string) {
			for i, cell := range cells {
				if i > 0 {
					b = append(b, ',')
				}
				b = frames.AppendCell(b, cell)
			}
			b = append(b, '\n')
		}
		var names []string
		for _, c := range athleteColumns() {
			names = append(names, c.Tag.Get("json"))
		}
		line(names)
		for _, row := range rows {
			line(athleteCells(row))
		}
	}
	_, err := to.Write(b)
	return err
}
