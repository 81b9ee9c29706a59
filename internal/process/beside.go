package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// beside is what a video processor says of its motion file: output.json, which it may
// leave out. Fields that are not known are passed over.
type beside struct {
	Up       string           `json:"up"`       // the axis that points upwards, such as +y
	Unknown  []string         `json:"unknown"`  // of frames.UnknownScale and the like
	Bones    [][2]string      `json:"bones"`    // pairs of points, the one nearer to the root first
	Warnings []frames.Warning `json:"warnings"` // codes and sentences
}

// The limits of what is said.
const (
	besideMost   = 1 << 20 // bytes
	warningsMost = 100
	sentenceMost = 1000 // bytes
)

// readBeside reads it from the folder of the processor, whom nobody trusts.
func readBeside(room string) (b beside, err error) {
	file, err := openPlainly(filepath.Join(room, "output.json"))
	if errors.Is(err, os.ErrNotExist) {
		return b, nil
	}
	wrong := func(what string) error {
		return &upload.Died{Reason: "What the video processor says of its motion in output.json cannot be used: " +
			what + "."}
	}
	if err != nil {
		return b, wrong("it cannot be opened")
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return b, err
	}
	if !info.Mode().IsRegular() || info.Size() > besideMost {
		return b, wrong("it is no file of at most a megabyte")
	}
	text, err := io.ReadAll(io.LimitReader(file, besideMost))
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b); err != nil {
		return b, wrong("it is not the JSON that is expected")
	}
	return b, b.check(wrong)
}

// check says what is wrong with it.
func (b *beside) check(wrong func(string) error) error {
	if b.Up != "" && !slices.Contains([]string{"+x", "-x", "+y", "-y", "+z", "-z"}, b.Up) {
		return wrong("up names no axis such as +y")
	}
	for _, u := range b.Unknown {
		if u != frames.UnknownScale && u != frames.UnknownDepth {
			return wrong("unknown may have scale and depth")
		}
	}
	slices.Sort(b.Unknown)
	b.Unknown = slices.Compact(b.Unknown)
	if len(b.Warnings) > warningsMost {
		return wrong(fmt.Sprintf("there are more than %d warnings", warningsMost))
	}
	for _, w := range b.Warnings {
		if w.Code == "" || w.Message == "" || len(w.Code) > 64 || len(w.Message) > sentenceMost {
			return wrong(fmt.Sprintf("a warning has a code of at most 64 bytes and a message of at most %d",
				sentenceMost))
		}
	}
	return nil
}

// tell adds it to what is known of the motion.
func (b *beside) tell(i *frames.Info) {
	if b.Up != "" {
		i.Up = b.Up
	}
	i.Unknown = append([]string{}, b.Unknown...)
	for _, bone := range b.Bones {
		if i.Channel(bone[0]) != nil && i.Channel(bone[1]) != nil && bone[0] != bone[1] {
			i.Bones = append(i.Bones, bone)
		}
	}
	i.Warnings = append(i.Warnings, b.Warnings...)
}
