package table_test

import (
	"fmt"
	"strings"
	"testing"
)

// others are layouts of further programs and devices: above the rows, a row by its number,
// and what is right. Row i has the number i and a half in the column named first.
var others = map[string]struct {
	head  string
	row   string // of its number i and its time in seconds, or in thousandths
	per   float64
	rate  float64
	first string
}{
	"phyphox": {
		`"Time (s)","Linear Acceleration x (m/s^2)","Linear Acceleration y (m/s^2)","Linear Acceleration z (m/s^2)"`,
		"%.9[2]E,%[1]d.5,1.5E0,-2.5E-1", 1, 100, "Linear Acceleration_x"},
	"phyphox, places": {`"Time (s)","Latitude (°)","Longitude (°)","Velocity (m/s)"`,
		"%.9[2]E,51.1234567,8.1234567,%[1]d.5", 1, 1, "Velocity"},
	"Sensor Logger": {"time,seconds_elapsed,z,y,x", "1718030736%09.0[2]f,%[1]d,1,2,%[1]d.5", 1e9, 100, "x"},
	"SensorLog": {
		"loggingTime(txt),loggingSample(N),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),activity(txt)", "2026-05-13 09:30:02,%[1]d,%.4[2]f,%[1]d.5,walking", 1, 50, "accelerometerAccelerationX"},
	"MetaBase": {"epoc (ms),timestamp (+0200),elapsed (s),x-axis (g),y-axis (g)",
		"1547219%06.0[2]f,2026-05-13T15:08:04.674,0.5,%[1]d.5,1", 1e3, 100, "x-axis"},
	"Axivity": {"Time, Accel-X (g), Accel-Y (g), Accel-Z (g)",
		"2026-05-13 12:00:%07.4[2]f, %[1]d.5, 0.1, 0.9", 1, 100, "Accel_x"},
	"Polar Sensor Logger": {"Phone timestamp;sensor timestamp [ns];X [mg];Y [mg]",
		"2026-05-13T17:02:40.100;599628%012.0[2]f;%[1]d.5;20", 1e9, 100, "X"},
	"OpenField": {"# OpenField Export : 13.05.2026 18:45:23\n# Reference time : 13.05.2026 15:20:32 " +
		"UTC\n\"# Period: \"\"Session\"\"\"\nTimestamp,Seconds,Velocity,Latitude",
		"15:20:32,%.1[2]f,%[1]d.5,51.1234567", 1, 10, "Velocity"},
	"STATSports": {"Player Id, Player Display Name, Time, Lat, Lon, Speed (m/s), Accl X, Accl Y, Accl Z",
		"12345, Mia Lund, 15:20:%06.3[2]f, 51.1234567, -0.7654321, %[1]d.5, 1, 2, 3", 1, 10, "Speed"},
	"Kinexon": {"ts in ms;formatted local time;sensor id;full name;x in m;y in m",
		"1778691%06.0[2]f;noon;7;Mia Lund;%[1]d.5;20.5", 1e3, 20, "x in m"},
	"Noraxon": {"Noraxon MR3.18\nDate: 13.05.2026\n\n\"Time, s\",\"RT TIB.ANT.,uV\",\"Marker\",Activity",
		"%.6[2]f,%[1]d.5,,", 1, 1500, "RT TIB.ANT."},
	"BioWare": {"BioWare\tVersion\t5.3\nDate\t13.05.2026\n\nabs time (s)\tFx\tFy\tFz\t|Ft|\ns\tN\tN\tN\tN",
		"%.4[2]f\t%[1]d.5\t2\t3\t4", 1, 1000, "Fx"},
	"two plates": {"Time (s)\tFx\tFy\tFx\tFy\n\tPlate 1\tPlate 1\tPlate 2\tPlate 2\ns\tN\tN\tN\tN",
		"%.4[2]f\t%[1]d.5\t2\t3\t4", 1, 1000, "Fx Plate 1"},
	"NetForce": {"Acquisition Rate,1000\nNumber of Samples,40\nFx,Fy,Fz,Mx,My,Mz", "%[1]d.5,2,3,4,5,%[2]f",
		1, 1000, "Fx"},
	"Bertec": {"Time (ms),Sync,Aux,LFx,LFy", "%.0[2]f,0,0,%[1]d.5,2", 1e3, 1000, "LFx"},
	"pedar": {"pedar-x 25.3.6\nfile name:\twalk.sol\tdate/time 13.05.2026 09:30:02\nscanning rate " +
		"[Hz]: 50\n\ntime[secs]\t1\t2\t3", "%.3[2]f\t%[1]d.5\t2\t3", 1, 50, "1"},
	"pedar, forces": {"scanning rate [Hz]: 50\n\ntime[secs]\tforce[N] left\tforce[N] right",
		"%.3[2]f\t%[1]d.5\t2", 1, 50, "force left"},
	"loadsol": {"loadsol 13.05.2026\nTime[sec]\tLeft [N]\tTime[sec]\tRight [N]",
		"%.2[2]f\t%[1]d.5\t%.2[2]f\t3", 1, 100, "Left"},
	"Kinovea": {"Time (ms),Trajectory 1/0 X (cm),Trajectory 1/0 Y (cm)", "%.0[2]f,%[1]d.5,2", 1e3,
		25, "Trajectory 1/0 X"},
	"Tracker": {"mass A\t\t\nt\tx\ty", "%.6[2]E\t%[1]d.5\t2.5E-1", 1, 30, "x"},
	"Simi": {"Simi Motion 3D Export\nFrequency\t100\nUnit\tm\nTime\thead X\thead Y\thead Z",
		"%.2[2]f\t%[1]d.5\t2\t3", 1, 100, "head_x"},
	"BTS": {"BTS ASCII format\n\nType:\tPoint 3D tracks\nMeasure unit:\tm\n\nFrequency:\t100 Hz\n\n" +
		"Frame\tTime\tc7.X\tc7.Y\tc7.Z\t", "%[1]d\t%.3[2]f\t%[1]d.5\t2\t3\t", 1, 100, "c7_x"},
	"First Principles": {"Number of frames: 40\nFrequency: 100.0\nUnits: mm\n\nFrame,Marker_1 x,Marker_1 " +
		"y,Marker_1 z", "%[1]d,%[1]d.5,2,%.2[2]f", 1, 100, "Marker_1_x"},
	"AnyBody": {"#AnyBody Modeling System\nMain.Study.Output.Abscissa.t,Main.Study.Output.Knee.Pos[0]",
		"%.6[2]e,%[1]d.5", 1, 100, "Main.Study.Output.Knee.Pos[0]"},
	"LabVIEW": {"LabVIEW Measurement\t\nWriter_Version\t2\n***End_of_Header***\t\n\t\nChannels\t1\t\n" +
		"X_Dimension\tTime\t\nX0\t0\t\nDelta_X\t0.001\t\n***End_of_Header***\t\t\nX_Value\tForce\tComment",
		"%.6[2]f\t%[1]d.5", 1, 1000, "Force"},
	"catman": {"HBM_CATMAN_DATAFILE_40\nX\n\nTime  1 - default sample rate\tForce\n10 Hz\t10 Hz\ns\tkN",
		"%.2[2]f\t%[1]d.5", 1, 10, "Force"},
	"AcqKnowledge": {"jump.acq\n0.5 msec/sample\n2 channels\nEMG\nmV\nForce\nN\nmin,CH1,CH2",
		"%.10[2]f,%[1]d.5,2", 1.0 / 60, 2000, "CH1"},
	"ActiGraph": {"------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v2.5.0 date " +
		"format M/d/yyyy at 30 Hz  Filter Normal -----------\nSerial Number: CLE2B\nStart Time 12:00:00\nEpoch " +
		"Period (hh:mm:ss) 00:00:00\n-----\nAccelerometer X,Accelerometer Y,Accelerometer Z", "%[1]d.5,0.1,%[2]f", 1,
		30, "Accelerometer_x"},
	"MT Manager": {"// General information:\n// Update Rate: 100.0Hz\n// Filter Profile: human\n" +
		"PacketCounter\tSampleTimeFine\tAcc_X\tAcc_Y\tMat[1][1]", "%[1]d\t\t%[1]d.5\t0.1\t%[2]f", 1, 100, "Acc_X"},
	"Pupil": {"world_timestamp,world_index,gaze_timestamp,norm_pos_x", "1000,7,%.6[2]f,%[1]d.5", 1, 120,
		"norm_pos_x"},
	"Contemplas": {"Templo Export;;\nFrequenz [Hz];100;\nZeit [ms];Knie X [mm];Hüfte X [mm]",
		"%.0[2]f;%[1]d,5;2", 1e3, 100, "Knie X"},
	"Dewesoft": {"Data export\nSample rate: 1000\nNumber of channels: 2\n\nTime (s);Force (N);Disp (mm)",
		"%.4[2]f;%[1]d.5;2.25", 1, 1000, "Force"},
	"DIAdem": {"Channel name;Time;Force\nUnit;s;N", ";%.2[2]f;%[1]d.5", 1, 10, "Force"},
	"Garmin": {"record.timestamp[s],record.position_lat[semicircles],record.heart_rate[bpm]",
		"%.0[2]f,609876543,%[1]d.5", 1, 1, "record.heart_rate"},
	"Shimmer": {"sep=\t\nS_Timestamp_Unix_CAL\tS_Accel_LN_X_CAL\tS_Accel_LN_Y_CAL\tS_Accel_LN_Z_CAL\t\n" +
		"ms\tm/(s^2)\tm/(s^2)\tm/(s^2)\t", "1650000%06.0[2]f\t%[1]d.5\t2\t3\t", 1e3, 50, "S_Accel_LN_X_CAL"},
}

func TestExportsOfFurtherProgramsAndDevicesAreRead(t *testing.T) {
	for name, c := range others {
		t.Run(name, func(t *testing.T) {
			const n = 40
			rec := whole(t, lines(c.head, n,
				func(i int) string { return fmt.Sprintf(c.row, i, float64(i)/c.rate*c.per) }))
			if !strings.HasSuffix(c.first, "_x") && len(rec.Points) > 0 && c.first != "Speed" {
				t.Errorf("points %+v", rec.Points)
			}
			var want []float64
			for i := range n {
				want = append(want, float64(i)+0.5)
			}
			holds(t, rec, c.rate, n, map[string][]float64{c.first: want})
			if rec.Times != nil {
				t.Errorf("the times are not even: %v", rec.Warnings)
			}
		})
	}
}

func TestResultsOfOneThingAfterAnotherAreNoMotion(t *testing.T) {
	for name, text := range map[string]string{
		"laps": "\"Laps\",\"Time\",\"Distance\",\"Avg " +
			"Pace\"\n\"1\",\"5:12.3\",\"1.00\",\"5:12\"\n\"2\",\"5:01.2\",\"1.00\",\"5:01\"\n\"3\",\"5:20.0\",\"1.00\",\"5:20\"\n\"Summary\",\"15:33.5\",\"3.00\",\"5:11\"\n",
		"pitches": "PitchNo,Date,Time,RelSpeed\n1,2026-05-13,19:00:12.45,85.1\n2,2026-05-13,19:01:12.45,86.2\n" +
			"3,2026-05-13,19:02:12.45,84.2\n",
		"reps":  "Session,Date,Exercise,Set,Rep,Load (kg)\nS1,2026-05-13,Squat,1,1,80\nS1,2026-05-13,Squat,1,2,80\n",
		"shots": "Shot No,Speed\n1,55.5\n2,56.5\n3,57.5\n",
		"swings": "\"Player ID:\",12345\n\"Player Name:\",\"Mia Lund\"\n\n\"No\",\"Date\",\"Pitch " +
			"ID\",\"Velocity\"\n2,05/13/2026 03:30 PM,1-1,85.5\n1,05/13/2026 03:31 PM,1-2,86.5\n",
	} {
		if rec, err := read(text); err == nil || !strings.Contains(err.Error(), "no motion") {
			t.Errorf("%s: %v, %v", name, err, rec)
		}
	}
	// An angle called pitch, and a count of laps beside every moment, are measured.
	holds(t, whole(t, lines("time,pitch,lap",
		9, func(i int) string { return fmt.Sprintf("%.2f,%d.5,%d", float64(i)/100, i, i/5) })), 100, 9,
		map[string][]float64{"pitch": {0.5, 1.5}, "lap": {0, 0}})
}

func TestAPaceNamesNoThings(t *testing.T) {
	rec := whole(t, lines("Time,Pace,HR", 20,
		func(i int) string { return fmt.Sprintf("00:00:%02d,5:%02d,%d.5", i, i*7%60, i) }))
	holds(t, rec, 1, 20, map[string][]float64{"HR": {0.5, 1.5}})
}
