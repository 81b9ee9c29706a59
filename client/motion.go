package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Motion is what a recording holds beside its numbers.
type Motion struct {
	SessionID  string   `json:"session_id"`
	FileName   string   `json:"file_name"`
	Size       int64    `json:"size"`        // of the file, in bytes
	Format     string   `json:"format"`      // of the file: c3d, trc, …
	Rate       *float64 `json:"rate"`        // frames a second, as the file states it or as it was corrected
	Frames     int      `json:"frames"`      // rows
	FirstFrame int      `json:"first_frame"` // the file's own number of row 0
	Start      float64  `json:"start"`       // time of row 0 in seconds
	Duration   float64  `json:"duration"`    // seconds
	Even       bool     `json:"even"`        // the frames are evenly spaced in time
	Unit       string   `json:"unit"`        // of lengths in the file
	// of that unit; 0 when it is not known: lengths are then given out in it
	Metres   float64         `json:"metres"`
	Channels []Channel       `json:"channels"`
	Events   []MotionEvent   `json:"events"`
	Metrics  []MotionMetric  `json:"metrics"`
	Warnings []MotionWarning `json:"warnings"`
	Subjects []string        `json:"subjects"`
	// names of channels that hang together, the one nearer to the root first
	Bones [][2]string `json:"bones"`
	// the axis that points upwards, such as +z; "" when the file does not tell
	Up      string       `json:"up"`
	Unknown []string     `json:"unknown"`      // what motion of a video does not know: scale, depth
	Plates  []ForcePlate `json:"force_plates"` // in the order of the file
	// the first and last frame, as the file counts, in which by the file nobody stood on one; nil when it
	// names none
	PlateZero *[2]int `json:"force_plate_zero"`
	// what was found by the library of movements; while it is being measured nothing but Reason (pending)
	Computed  *Computed         `json:"computed"`
	Platforms []PlatformChannel `json:"platform_channels"` // what the force platforms measured, on request
	Video     *Video            `json:"video"`             // nil when the file is no video
	// where the capture's time comes from: given, file or upload; nil: not known
	TimeFrom *string `json:"capture_time_from"`
}

// ForcePlate is a force platform as a C3D file describes it, with lengths in the file's unit.
type ForcePlate struct {
	Type     int           `json:"type"`             // what the channels hold, by the C3D user guide
	Corners  [4][3]float64 `json:"corners"`          // in the laboratory, in the order of the platform's quadrants
	Origin   [3]float64    `json:"origin"`           // from the transducers to the surface
	Matrix   []float64     `json:"matrix,omitempty"` // 36 numbers of a type 4, the row running fastest
	Channels []string      `json:"channels"`         // names, in the order of the type
}

// PlatformChannel is the force, the centre of pressure or the free moment of a force platform,
// as it acts on the body and along the axes of the laboratory. It is computed when its name or
// columns are asked for.
type PlatformChannel struct {
	Name     string   `json:"name"` // plate1_force, plate1_cop, plate1_moment
	Kind     string   `json:"kind"` // force, point, moment
	Unit     string   `json:"unit"`
	Rate     float64  `json:"rate"`      // samples a second
	PerFrame int      `json:"per_frame"` // samples during one frame
	Columns  []string `json:"columns"`   // along x, y and z
}

// Channel is a point, a joint angle, an analog channel or a rotation.
type Channel struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // point, angle, force, moment, power, scalar, vector, analog or rotation
	Subject  *string  `json:"subject"`
	Unit     string   `json:"unit"`      // of its numbers as they are given out; "" when it is not known
	Rate     *float64 `json:"rate"`      // samples a second
	PerFrame int      `json:"per_frame"` // samples during one frame
	Missing  float64  `json:"missing"`   // per cent of its samples
	Columns  []string `json:"columns"`
	Bits     int      `json:"bits,omitempty"` // 64 where its numbers need as many; else 0
}

// MotionEvent is a moment that was marked.
type MotionEvent struct {
	Label       string  `json:"label"`
	Context     string  `json:"context"` // left, right, general, or as the file has it
	Time        float64 `json:"time"`    // seconds
	Frame       *int    `json:"frame"`   // the nearest row; nil when it lies outside of the recording
	Subject     string  `json:"subject"`
	Description string  `json:"description"`
}

// MotionMetric is one number about the whole recording, as its file has it.
type MotionMetric struct {
	Name        string  `json:"name"`
	Context     string  `json:"context"` // left, right, general, or as the file has it
	Subject     string  `json:"subject"`
	Unit        string  `json:"unit"`
	Description string  `json:"description"`
	Value       float64 `json:"value"`
}

// MotionWarning is something odd about a file, in a sentence.
type MotionWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Video is what is known of the pictures of a video.
type Video struct {
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Rotation int     `json:"rotation"` // degrees clockwise
	Codec    string  `json:"codec"`
	Variable bool    `json:"variable"` // the pictures are unevenly spaced in time
	Duration float64 `json:"duration"` // seconds
}

// Motion reads what the capture's recording holds. While its file has not been
// read the error is an *Error with the status 409.
func (c *Client) Motion(ctx context.Context, id string, options ...CallOption) (*Motion, error) {
	var m Motion
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/motion"}, &m,
		options...); err != nil {
		return nil, err
	}
	return &m, nil
}

// FrameQuery says which part of a recording is asked for. The zero value asks for
// all of it.
type FrameQuery struct {
	Channels string // names of channels or columns, set apart by commas; * stands for any characters
	From     int    // the first row, from 0
	To       *int   // the first row that is left out; nil for the end
	Every    int    // every n-th row; 0 for each
	Samples  bool   // a row a sample, of the channels that have several during a frame
}

func (q FrameQuery) values() url.Values {
	v := url.Values{}
	set(v, "channels", q.Channels)
	if q.From != 0 {
		v.Set("from", strconv.Itoa(q.From))
	}
	if q.To != nil {
		v.Set("to", strconv.Itoa(*q.To))
	}
	if q.Every != 0 {
		v.Set("every", strconv.Itoa(q.Every))
	}
	if q.Samples {
		v.Set("rows", "samples")
	}
	return v
}

// Frames are rows of a recording, column by column. Beside the columns that were
// asked for there are "frame", the number of the frame that a row belongs to, and
// "time", in seconds.
type Frames struct {
	SessionID string             `json:"session_id"`
	Rate      *float64           `json:"rate"`
	From      int                `json:"from"`
	To        int                `json:"to"`
	Every     int                `json:"every"`
	Frames    int                `json:"frames"` // rows
	Columns   map[string]Numbers `json:"columns"`
}

// Numbers are the values of a column. One that is missing is NaN, and null on the
// wire.
type Numbers []float64

// UnmarshalJSON reads an array of numbers and nulls.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	var all []*float64
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*n = make(Numbers, len(all))
	for i, v := range all {
		if v == nil {
			(*n)[i] = math.NaN()
		} else {
			(*n)[i] = *v
		}
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// Frames reads a part of a recording: at most a million values.
func (c *Client) Frames(ctx context.Context, id string, q FrameQuery, options ...CallOption) (*Frames, error) {
	var f Frames
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/frames", query: q.values()},
		&f, options...); err != nil {
		return nil, err
	}
	return &f, nil
}

// The types of tables that FramesAs gives.
const (
	CSV     = "text/csv"
	Parquet = "application/vnd.apache.parquet"
	Binary  = "application/vnd.kinebase.frames"
)

// FramesAs is Frames as a table of a type, CSV, Parquet or Binary. The caller closes it.
func (c *Client) FramesAs(ctx context.Context, id, kind string, q FrameQuery, options ...CallOption) (*File, error) {
	return c.file(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/frames", query: q.values(),
		accept: kind}, options)
}

// FileQuery says how a capture's file is wanted. The zero value asks for all of it,
// as it came.
type FileQuery struct {
	Format string // c3d, trc or csv; "" for the file as it came
	Offset int64  // the first byte, of a file as it came
	Length int64  // how many bytes from there on; 0 for all
}

// File is a file on its way. The caller closes it.
type File struct {
	io.ReadCloser
	Name    string // to be saved under; "" when the server does not say
	Type    string // the media type
	Size    int64  // of what is read here, in bytes; -1 when it is not known before
	Partial bool   // a part was asked for, and this is it
	Offset  int64  // in the whole file, of the first byte that is read here
	Ranges  bool   // parts of the file can be asked for
	ETag    string // of the whole file, for IfRange and From
}

// IfRange lets a part of a file be given only while the file still has this ETag;
// otherwise the whole is.
func IfRange(etag string) CallOption { return withHeader("If-Range", etag) }

// File reads the capture's file. It takes as long as ctx lets it. A part that lies
// outside of the file is an *Error with the status 416.
func (c *Client) File(ctx context.Context, id string, q FileQuery, options ...CallOption) (*File, error) {
	v := url.Values{}
	set(v, "format", q.Format)
	if q.Offset > 0 || q.Length > 0 {
		part := "bytes=" + strconv.FormatInt(q.Offset, 10) + "-"
		if q.Length > 0 {
			part += strconv.FormatInt(q.Offset+q.Length-1, 10)
		}
		options = append([]CallOption{withHeader("Range", part)}, options...)
	}
	return c.file(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id) + "/file", query: v,
		accept: "*/*"}, options)
}

func (c *Client) file(ctx context.Context, call *call, options []CallOption) (f *File, err error) {
	err = c.try(ctx, call, options, func() error {
		resp, err := c.ask(ctx, c.long, call)
		if err != nil {
			return err
		}
		f = &File{ReadCloser: resp.Body, Type: resp.Header.Get("Content-Type"), Size: resp.ContentLength,
			Partial: resp.StatusCode == http.StatusPartialContent,
			Ranges:  resp.Header.Get("Accept-Ranges") == "bytes", ETag: resp.Header.Get("Etag")}
		if f.Partial {
			first, _, _ := strings.Cut(strings.TrimPrefix(resp.Header.Get("Content-Range"), "bytes "), "-")
			if f.Offset, err = strconv.ParseInt(first, 10, 64); err != nil {
				return errors.Join(fmt.Errorf("%s %s: the server does not say which part it gives", call.method,
					call.path), resp.Body.Close())
			}
		}
		if _, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition")); err == nil {
			f.Name = params["filename"]
		}
		return nil
	})
	return f, err
}
