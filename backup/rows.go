package backup

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// Rows are lines of JSON. A line {"table":…} says of which table, columns and organization the
// rows are that follow; a row is a list of its values: null, a number, a text, {"f":…} for a
// floating-point number, {"b":…} for bytes in base64, {"t":…} for a text that is no UTF-8. A line {"job":…} is
// work that was to be done.

// Head says what the rows are that follow.
type Head struct {
	Table        string   `json:"table"`
	Organization string   `json:"organization,omitempty"`
	Columns      []string `json:"columns"`
}

// Job is work that was to be done.
type Job struct {
	Work         string `json:"work"`
	Organization string `json:"organization"`
	Subject      string `json:"subject,omitempty"`
	At           int64  `json:"at"` // not before this second since 1970
}

// RowWriter writes rows.
type RowWriter struct {
	w      *bufio.Writer
	line   []byte
	table  string
	counts map[string]int64
}

// NewRowWriter makes one. Flush is called at the end.
func NewRowWriter(w io.Writer) *RowWriter {
	return &RowWriter{w: bufio.NewWriterSize(w, 64<<10), counts: map[string]int64{}}
}

// Head begins a table.
func (w *RowWriter) Head(h Head) error {
	w.table = h.Table
	return w.json(h)
}

// Job writes work.
func (w *RowWriter) Job(j Job) error {
	w.counts["job"]++
	return w.json(struct {
		Job Job `json:"job"`
	}{j})
}

func (w *RowWriter) json(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = w.w.Write(append(text, '\n'))
	}
	return err
}

// Row writes a row: nil, int64, float64, string and []byte are values.
func (w *RowWriter) Row(values []any) error {
	b := append(w.line[:0], '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := v.(type) {
		case nil:
			b = append(b, "null"...)
		case int64:
			b = strconv.AppendInt(b, v, 10)
		case float64:
			b = strconv.AppendFloat(append(b, `{"f":"`...), v, 'g', -1, 64)
			b = append(b, `"}`...)
		case []byte:
			b = base64.StdEncoding.AppendEncode(append(b, `{"b":"`...), v)
			b = append(b, `"}`...)
		case string:
			if !utf8.ValidString(v) {
				b = base64.StdEncoding.AppendEncode(append(b, `{"t":"`...), []byte(v))
				b = append(b, `"}`...)
				continue
			}
			text, err := json.Marshal(v)
			if err != nil {
				return err
			}
			b = append(b, text...)
		default:
			return &Damaged{"a value of a kind that no table has"}
		}
	}
	w.line = append(b, "]\n"...)
	w.counts[w.table]++
	_, err := w.w.Write(w.line)
	return err
}

// Flush writes what is still held.
func (w *RowWriter) Flush() error { return w.w.Flush() }

// Counts are the rows of each table that were written.
func (w *RowWriter) Counts() map[string]int64 { return w.counts }

// RowReader reads rows.
type RowReader struct {
	r *bufio.Reader
	n int64
}

// NewRowReader makes one.
func NewRowReader(r io.Reader) *RowReader { return &RowReader{r: bufio.NewReaderSize(r, 64<<10)} }

// Next gives the next line: a head, a job or a row; io.EOF after the last.
func (r *RowReader) Next() (h *Head, j *Job, row []any, err error) {
	line, err := r.r.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, nil, nil, err
	}
	r.n++
	if line[0] == '[' {
		row, err = readRow(line)
		return nil, nil, row, r.wrong(err)
	}
	var first struct {
		Head
		Job *Job `json:"job"`
	}
	if err := json.Unmarshal(line, &first); err != nil {
		return nil, nil, nil, r.wrong(err)
	}
	if first.Job != nil {
		return nil, first.Job, nil, nil
	}
	return &first.Head, nil, nil, nil
}

func (r *RowReader) wrong(err error) error {
	if err != nil {
		return &Damaged{"line " + strconv.FormatInt(r.n, 10) + " of the rows: " + err.Error()}
	}
	return nil
}

func readRow(line []byte) ([]any, error) {
	var cells []json.RawMessage
	if err := json.Unmarshal(line, &cells); err != nil {
		return nil, err
	}
	row := make([]any, len(cells))
	for i, c := range cells {
		var err error
		switch {
		case bytes.Equal(c, []byte("null")):
		case c[0] == '"':
			var s string
			err = json.Unmarshal(c, &s)
			row[i] = s
		case c[0] == '{':
			row[i], err = readTagged(c)
		default:
			row[i], err = strconv.ParseInt(string(c), 10, 64)
		}
		if err != nil {
			return nil, err
		}
	}
	return row, nil
}

func readTagged(c []byte) (any, error) {
	var v struct {
		Float *string `json:"f"`
		Bytes *[]byte `json:"b"`
		Text  *[]byte `json:"t"`
	}
	if err := json.Unmarshal(c, &v); err != nil {
		return nil, err
	}
	switch {
	case v.Float != nil:
		f, err := strconv.ParseFloat(*v.Float, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, err
		}
		return f, nil
	case v.Bytes != nil:
		return *v.Bytes, nil
	case v.Text != nil:
		return string(*v.Text), nil
	}
	return nil, &Damaged{"a value of an unknown kind"}
}
