package table_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// The layouts of devices that state their rate in unusual places, count time in unusual units
// and mark what is no unit.

// decimal writes a number with the decimal sign of the sheet.
func (s *sheet) decimal(v float64, digits int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", s.point, 1)
}

// training is a session with its summary above, its rate in a column and clock times.
func training(s *sheet) {
	step := rapid.SampledFrom([]int{1, 2, 5, 10}).Draw(s.t, "seconds between rows")
	s.rate = 1 / float64(step)
	head, values := []string{"Name", "Sport", "Date", "Start time", "Duration", "Total distance (km)",
		"Average heart rate (bpm)"}, []string{"Mia Lund", "RUNNING", "13-05-2026", "09:30:02", "00:30:12",
		s.decimal(5.61, 2), "151"}
	if extra := rapid.IntRange(0, 3).Draw(s.t, "more in the summary"); extra > 0 {
		head, values = append(head, "Calories", "Notes", "HR max")[:7+extra], append(values, "410", "", "190")[:7+extra]
	}
	s.line(head...)
	s.line(values...)
	if rapid.Bool().Draw(s.t, "blank line") {
		s.b.WriteString(s.end)
	}
	every := rapid.Bool().Draw(s.t, "rate in every row")
	s.line("Sample rate", "Time", "HR (bpm)", "Pace (min/km)", "Altitude (m)")
	for i := range s.rows {
		said := ""
		if i == 0 || every {
			said = strconv.Itoa(step)
		}
		t := i * step
		s.line(said, fmt.Sprintf("%02d:%02d:%02d", t/3600, t/60%60, t%60), s.number(s.values[0][i]),
			fmt.Sprintf("0%d:%02d", 3+i%5, i%60), s.number(s.values[1][i]))
	}
	s.want["HR"], s.want["Altitude"] = s.values[0], s.values[1]
}

// monitor is an activity monitor without times, which says its rate in a sentence.
func monitor(s *sheet) {
	fmt.Fprintf(&s.b, "------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v%d.5.0 date "+
		"format M/d/yyyy at %v Hz  Filter %s -----------%s",
		rapid.IntRange(1, 9).Draw(s.t, "firmware"), s.rate,
		rapid.SampledFrom([]string{"Normal", "LowFrequencyExtension"}).Draw(s.t, "filter"), s.end)
	for _, line := range []string{"Serial Number: CLE2B2013XXXX", "Start Time 12:00:00", "Start Date 5/13/2026",
		"Epoch Period (hh:mm:ss) 00:00:00", "Download Time 12:10:00",
		"Current Memory Address: 0", "Current Battery Voltage: 4.21     Mode = 12",
		"--------------------------------------------------"} {
		s.b.WriteString(line + s.end)
	}
	s.things, s.values = s.things[:1], s.values[:3]
	s.line("Accelerometer X", "Accelerometer Y", "Accelerometer Z")
	for i := range s.rows {
		s.row(i)
	}
	s.points("")
	for name, column := range s.want {
		s.want["Accelerometer"+name[len(name)-2:]] = column
		delete(s.want, name)
	}
}

// coarse counts minutes or hours.
func coarse(s *sheet) {
	part := rapid.SampledFrom([]float64{60, 3600}).Draw(s.t, "a unit of time")
	names := map[float64][]string{60: {"min", "Time (min)", "t_min", "time_min", "minutes", "Time [min]"},
		3600: {"Time (h)", "t_h", "hours", "time_hours"}}[part]
	s.line(rapid.SampledFrom(names).Draw(s.t, "name"), "CH1", "CH2")
	for i := range s.rows {
		s.line(s.decimal(float64(i)/s.rate/part, 11), s.number(s.values[0][i]), s.number(s.values[1][i]))
	}
	s.want["CH1"], s.want["CH2"] = s.values[0], s.values[1]
}

// phone marks what is no unit, and has words and a clock of its sensor.
func phone(s *sheet) {
	s.line("loggingTime(txt)", "loggingSample(N)", "accelerometerTimestamp_sinceReboot(s)",
		"accelerometerAccelerationX(G)", "motionQuaternionX(R)", "activity(txt)", "orientation(Z)")
	var count []float64
	for i := range s.rows {
		count = append(count, float64(i+1))
		s.line("2026-05-13 09:30:02", strconv.Itoa(i+1), s.seconds(i), s.number(s.values[0][i]),
			s.number(s.values[1][i]), "walking", "1")
	}
	s.want["loggingSample"], s.want["accelerometerAccelerationX"], s.want["motionQuaternionX"] = count, s.values[0],
		s.values[1]
}

// lineOfRates has a line of rates below the names, and columns of times for each sensor.
func lineOfRates(s *sheet) {
	faster := rapid.SampledFrom([]int{1, 2, 10}).Draw(s.t, "faster")
	emg := fmt.Sprintf("%v Hz", s.rate*float64(faster))
	if rapid.Bool().Draw(s.t, "sensor") {
		s.line("Avanti 1 (80001)", "", "", "")
	}
	s.line("EMG 1 Time Series (s)", "EMG 1 (mV)", "ACC X Time Series (s)", "ACC X (G)")
	if rapid.Bool().Draw(s.t, "rates above times") {
		s.line(emg, emg, fmt.Sprintf("%v Hz", s.rate), fmt.Sprintf("%v Hz", s.rate))
	} else {
		s.line("", emg, "", fmt.Sprintf("%v Hz", s.rate))
	}
	var fast []float64
	for i := range s.rows * faster {
		fast = append(fast, float64(i)+0.125)
		cells := []string{s.decimal(float64(i)/s.rate/float64(faster), 7), s.number(fast[i]), "", ""}
		if i < s.rows {
			cells[2], cells[3] = s.decimal(float64(i)/s.rate, 7), s.number(s.values[0][i])
		}
		s.line(cells...)
	}
	s.want["EMG 1"], s.want["ACC X"] = fast, s.values[0]
}

// runs are recordings side by side, with times of their own.
func runs(s *sheet) {
	forms := rapid.SampledFrom([][2]string{{"Time (s) Run #%d", "Force (N) Run #%d"},
		{"Run %d: Time (s)", "Run %d: Force (N)"}, {"Trial %d: Time", "Trial %d: Force (N)"}}).Draw(s.t, "form")
	var head []string
	for run := 1; run < 3; run++ {
		head = append(head, fmt.Sprintf(forms[0], run), fmt.Sprintf(forms[1], run))
	}
	s.line(head...)
	for i := range s.rows {
		s.line(s.seconds(i), s.number(s.values[0][i]), s.seconds(i), s.number(s.values[1][i]))
	}
	for run := 1; run < 3; run++ {
		name := strings.Replace(fmt.Sprintf(forms[1], run), " (N)", "", 1)
		s.want[name] = s.values[run-1]
	}
}
