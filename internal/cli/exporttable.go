package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
		if len(c.Athletes)+len(c.Metrics) > 0 || c.Activity+c.Movement+c.From+c.To+c.DateMode+c.RowFilter+c.Shape+c.Job+
			c.Locale != "" {
			return false, usage("--table athletes has everybody, and takes --format, --spreadsheet and -o alone")
		}
		return true, nil
	}
	return false, usage("--table must be captures, athletes or metrics, not %q", c.Table)
}

// athleteRow is a row of the table of athletes, with the names of its columns.
type athleteRow struct {
	ID               string    `parquet:"athleteid" json:"athleteid"`
	FirstName        string    `parquet:"first_name" json:"first_name"`
	LastName         *string   `parquet:"last_name,optional" json:"last_name"`
	DateOfBirth      *string   `parquet:"date_of_birth,optional" json:"date_of_birth"` // 1999-05-13
	Email            *string   `parquet:"email,optional" json:"email"`
	Phone            *string   `parquet:"phone,optional" json:"phone"`
	Gender           *string   `parquet:"gender,optional" json:"gender"`
	DominantArm      *string   `parquet:"dominant_arm,optional" json:"dominant_arm"`
	DominantLeg      *string   `parquet:"dominant_leg,optional" json:"dominant_leg"`
	Activity         *string   `parquet:"activity,optional" json:"activity"`
	Positions        string    `parquet:"positions" json:"positions"` // a list as JSON
	CompetitionLevel *string   `parquet:"competition_level,optional" json:"competition_level"`
	Height           *int64    `parquet:"height,optional" json:"height"`              // inches
	Weight           *int64    `parquet:"weight,optional" json:"weight"`              // pounds
	CustomAttributes string    `parquet:"custom_attributes" json:"custom_attributes"` // an object as JSON
	CreatedAt        time.Time `parquet:"created_at,timestamp(millisecond)" json:"created_at"`
	UpdatedAt        time.Time `parquet:"updated_at,timestamp(millisecond)" json:"updated_at"`
}

// athleteColumns are the names of its columns.
var athleteColumns = []string{"athleteid", "first_name", "last_name", "date_of_birth", "email", "phone", "gender",
	"dominant_arm", "dominant_leg", "activity", "positions", "competition_level", "height", "weight",
	"custom_attributes", "created_at", "updated_at"}

func athleteRowOf(a *client.Athlete) (r athleteRow, err error) {
	positions, err := json.Marshal(append([]string{}, a.Positions...))
	if err != nil {
		return r, err
	}
	attributes, err := json.Marshal(a.CustomAttributes)
	if err != nil {
		return r, err
	}
	whole := func(n *int) *int64 {
		if n == nil {
			return nil
		}
		return new(int64(*n))
	}
	r = athleteRow{a.ID, a.FirstName, a.LastName, nil, a.Email, a.Phone, a.Gender, a.DominantArm, a.DominantLeg,
		a.Activity, string(positions), a.CompetitionLevel,
		whole(a.Height), whole(a.Weight), string(attributes), a.CreatedAt.UTC(), a.UpdatedAt.UTC()}
	if a.DateOfBirth != nil {
		r.DateOfBirth = new(a.DateOfBirth.UTC().Format(time.DateOnly))
	}
	return r, nil
}

// cells are the values of the columns as CSV has them; "" is missing.
func (r *athleteRow) cells() []string {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	number := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	return []string{r.ID, r.FirstName, text(r.LastName), text(r.DateOfBirth), text(r.Email), text(r.Phone),
		text(r.Gender), text(r.DominantArm), text(r.DominantLeg),
		text(r.Activity), r.Positions, text(r.CompetitionLevel), number(r.Height), number(r.Weight), r.CustomAttributes,
		r.CreatedAt.Format(payload.TimeLayout), r.UpdatedAt.Format(payload.TimeLayout)}
}

// readings is how often the list is read at most until nobody comes or goes meanwhile.
const readings = 5

// everybody reads all athletes. A deletion between two pages shifts the later ones, so the list is read again then.
func everybody(ctx context.Context, server *client.Client) ([]athleteRow, error) {
	for range readings {
		rows, seen := []athleteRow{}, map[string]bool{}
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
				rows, seen[row.ID] = append(rows, row), true
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
func (c *exportCmd) writePeople(to io.Writer, rows []athleteRow) error {
	var b []byte
	switch c.Format {
	case "parquet":
		return parquet.Write(to, rows, parquet.Compression(&parquet.Zstd))
	case "ndjson":
		for i := range rows {
			line, err := json.Marshal(&rows[i])
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
		line(athleteColumns)
		for i := range rows {
			line(rows[i].cells())
		}
	}
	_, err := to.Write(b)
	return err
}
