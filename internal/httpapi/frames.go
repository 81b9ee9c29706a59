package httpapi

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// The types that frames can be had in, the first one when nothing is said.
const (
	asJSON    = "application/json"
	asCSV     = "text/csv"
	asParquet = "application/vnd.apache.parquet"
	asBinary  = "application/vnd.kinebase.frames"
)

// Numbers that are given out are held until they are sent, so how many there are at
// a time is bounded.
const valuesRoom = 16 << 20

// frameQuery says which part of a table is asked for.
type frameQuery struct {
	channels string
	from     int
	to       int // -1: to the end
	every    int
	samples  bool // a row a sample, of the channels that have several during a frame
	locale   csvLocale
}

func readFrameQuery(query string) (frameQuery, error) {
	q := frameQuery{to: -1, every: 1}
	const (
		channels seen = 1 << iota
		from
		to
		every
		rows
		locale
	)
	var s seen
	err := eachParam(query, func(name, value string) (err error) {
		switch name {
		case "channels":
			err = s.once(channels, name)
			q.channels = value
		case "from":
			if err = s.once(from, name); err == nil {
				q.from, err = parseRow(name, value, 0)
			}
		case "to":
			if err = s.once(to, name); err == nil {
				q.to, err = parseRow(name, value, 0)
			}
		case "every":
			if err = s.once(every, name); err == nil {
				q.every, err = parseRow(name, value, 1)
			}
		case "rows":
			if err = s.once(rows, name); err != nil {
				return err
			}
			if q.samples = value == "samples"; !q.samples && value != "frames" {
				return fault.New(fault.BadRequest, "rows must be frames or samples.")
			}
		case "locale":
			if err = s.once(locale, name); err == nil {
				q.locale, err = readLocale(value)
			}
		}
		return err
	})
	if err == nil && q.to >= 0 && q.to < q.from {
		err = fault.New(fault.BadRequest,
			"to must not be below from: from is the first row, and to the first one that is left out.")
	}
	return q, err
}

func parseRow(name, s string, least int64) (int, error) {
	const most = 1<<31 - 1
	n, ok := decimal(s, most)
	if !ok || n < least {
		return 0, fault.New(fault.BadRequest, "%s must be a whole number from %d to %d.", name, least, most)
	}
	return int(n), nil
}

// table gives the table that is asked for, "" for a recording without numbers, and
// what is known of it.
func (q frameQuery) table(s upload.Stored) (name string, info frames.Info, err error) {
	if info, err = storedInfo(s); err != nil {
		return "", info, err
	}
	if !q.ofSamples(s) {
		return q.name(s), info, nil
	}
	info.Channels = slices.DeleteFunc(slices.Clone(info.Channels),
		func(c frames.Channel) bool { return c.PerFrame <= 1 })
	return q.name(s), info, nil
}

// ofSamples says whether the table of samples is asked for; where there is none, a frame is a sample.
func (q frameQuery) ofSamples(s upload.Stored) bool { return q.samples && s.Samples != "" }

func (q frameQuery) name(s upload.Stored) string {
	if q.ofSamples(s) {
		return s.Samples
	}
	return s.Table
}

// damaged is what a caller hears of a motion table whose bytes have changed. The log has its name.
func damaged(err error, name string) error {
	var d *frames.Damaged
	if !errors.As(err, &d) {
		return err
	}
	return fault.Wrap(fmt.Errorf("%s: %w", name, err), fault.Internal,
		"The stored motion table of the capture is damaged, "+
			"and no number of it is given out. POST /captures/{captureId}/reprocess makes it again of the "+
			"capture's file.")
}

func (a *api) getFrames(c *call) error {
	q, err := readFrameQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	c.w.Header().Add("Vary", "Accept")
	kind := accepted(c.r.Header["Accept"], asJSON, asCSV, asParquet, asBinary)
	if err := q.locale.judge(kind == asCSV); err != nil {
		return err
	}
	var info frames.Info
	var columns []string
	s, file, err := a.open(c, func(s upload.Stored) (name string, err error) {
		if name, info, err = q.table(s); err == nil && c.share != nil && !c.share.Names {
			err = nameless(&info)
		}
		if err == nil {
			columns, err = frames.Select(info.Corrected(s.Rate), q.channels)
		}
		return name, err
	})
	if err != nil {
		return err
	}
	var table *frames.Table
	total := 0
	if file != nil {
		defer func() { _ = file.Close() }() // it was only read
		if table, err = frames.Open(file, file.Size()); err != nil {
			return damaged(err, q.name(s))
		}
		total = table.Rows()
	}
	if q.to < 0 {
		q.to = max(total, q.from)
	}
	if q.to > total {
		return fault.New(fault.BadRequest, "The capture has %d rows: from and to must lie between 0 and that.", total)
	}
	rows := (q.to - q.from + q.every - 1) / q.every
	if err := frames.Limit(rows, len(columns)); err != nil {
		return err
	}
	tag := q.locale.tag("frames"+c.alias, kind, s.Table, s.Samples, strconv.FormatFloat(s.Rate, 'g', -1, 64),
		strconv.FormatBool(q.samples), q.channels, strconv.Itoa(q.from), strconv.Itoa(q.to), strconv.Itoa(q.every))
	if c.fresh(tag) {
		return nil
	}
	shown := info.Corrected(s.Rate)
	platforms, room, err := platformsOf(shown, columns)
	if err != nil {
		return err
	}
	values := min(int64(rows)*int64(len(columns)+2)+room, valuesRoom)
	leave, err := c.acquire(a.values, values, "The server is busy with the frames of others.")
	if err != nil {
		return err
	}
	defer leave()
	part := &frames.Part{Rate: shown.Rate, Every: q.every}
	if table != nil {
		stored := without(columns, platforms)
		if part, err = table.Part(info, s.Rate, stored, q.from, q.to, q.every); err != nil {
			return damaged(err, q.name(s))
		}
	}
	if len(platforms) > 0 {
		if err := a.measurePlatforms(c, s, part, shown, table, platforms, columns); err != nil {
			return err
		}
	}
	return c.sendPart(part, cmp.Or(c.alias, s.Capture.SessionID), kind, q.locale)
}

func (c *call) sendPart(p *frames.Part, sessionID, kind string, locale csvLocale) error {
	var body []byte
	room := 16 * (len(p.Names) + 2) * (len(p.Frames) + 1)
	switch kind {
	case asCSV:
		body = p.AppendCSV(make([]byte, 0, room))
		if locale.Comma {
			frames.NewRespeller(nil).Change(body)
		}
		kind += "; charset=utf-8"
	case asParquet:
		var b bytes.Buffer
		if err := p.WriteParquet(&b); err != nil {
			return err
		}
		body = b.Bytes()
	case asBinary:
		body = p.AppendBinary(nil, sessionID)
	default:
		body = p.AppendJSON(make([]byte, 0, room), sessionID)
	}
	c.sendLong(kind, body)
	return nil
}

// sendLong sends a body that may take long, as long as something moves.
func (c *call) sendLong(kind string, body []byte) {
	c.set("Content-Type", kind)
	c.set("Content-Length", strconv.Itoa(len(body)))
	c.pause()
	c.status = http.StatusOK
	c.w.WriteHeader(http.StatusOK)
	out := newPatientWriter(c.w)
	for piece := range slices.Chunk(body, 256<<10) {
		if _, err := out.Write(piece); err != nil {
			break // a caller who is gone is nobody to tell
		}
	}
}
