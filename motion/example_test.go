package motion_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kinebase/kinebase/motion"
)

// A TRC file of one marker, in millimetres at 100 frames a second.
const step = "PathFileType\t4\t(X/Y/Z)\tstep.trc\n" +
	"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
	"100\t100\t3\t1\tmm\t100\t1\t3\n" +
	"Frame#\tTime\tHEEL\t\t\n" +
	"\t\tX1\tY1\tZ1\n" +
	"\n" +
	"1\t0.00\t100\t50\t900\n" +
	"2\t0.01\t\t\t\n" +
	"3\t0.02\t120\t50\t904\n"

// The name of a file tells its kind; its numbers come from the reader.
func ExampleRead() {
	recording, err := motion.Read("step.trc", strings.NewReader(step), int64(len(step)))
	if err != nil {
		fmt.Println(err)
		return
	}
	heel := recording.Points[0]
	for frame := range recording.Frames {
		if heel.Missing(frame) {
			fmt.Printf("%.2f s: not seen\n", recording.Time(frame))
			continue
		}
		at, _ := heel.At(frame)
		fmt.Printf("%.2f s: %s is %.3f m high\n", recording.Time(frame), heel.Label(), at[2]*recording.Metres)
	}
	// Output:
	// 0.00 s: HEEL is 0.900 m high
	// 0.01 s: not seen
	// 0.02 s: HEEL is 0.904 m high
}

// A header costs little, however long the recording is.
func ExampleReadHeader() {
	header, err := motion.ReadHeader("step.trc", strings.NewReader(step), int64(len(step)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(header.Format, header.Frames, "frames at", header.Rate, "Hz in", header.Unit, header.Points)
	// Output: TRC 3 frames at 100 Hz in mm [HEEL]
}

// A file that cannot be read is an *Unreadable, with a sentence for the person who has the file.
func ExampleUnreadable() {
	text := "name\nAnn\n"
	_, err := motion.Read("people.csv", strings.NewReader(text), int64(len(text)))
	var unreadable *motion.Unreadable
	fmt.Println(errors.As(err, &unreadable))
	fmt.Println(unreadable)
	// Output:
	// true
	// The table has words and no row of numbers (line 2). Check what kind of file it is, or export it again.
}
