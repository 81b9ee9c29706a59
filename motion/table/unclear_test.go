package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/table"
)

func TestASettingThatAsksToMultiplyNumbersIsToldAndNotHeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Scale", "scale factor", "Gain", "Multiplier", "Offset", "Sensitivity",
			"# scale", "Scale Factor (mm/unit)", "scale_factor", "Ch1 Gain", "Unit scale", "Multiply by",
			"Amplification"}).Draw(t, "name")
		value := rapid.SampledFrom([]string{"0.001", "1000", "2.5", "-1", "1", "1.0", "0", "10 uV/LSB", "1000x",
			"x10", "1/1000", "1 dB", "100 %", "0 dB", "none", "1;0.5;2"}).Draw(t, "value")
		sign := rapid.SampledFrom([]string{": ", "=", ","}).Draw(t, "sign")
		if sign == "," { // a value for each column
			value = strings.ReplaceAll(value, ";", ",")
		} else {
			value, _, _ = strings.Cut(value, ";")
		}
		long := rapid.Bool().Draw(t, "a line of another setting")
		var b strings.Builder
		if long {
			b.WriteString("Subject: A\n")
		}
		fmt.Fprintf(&b, "%s%s%s\ntime,a,b\n0.00,1.5,3\n0.01,2.5,4\n0.02,3.5,5\n", name, sign, value)
		rec, err := table.Read(strings.NewReader(b.String()), int64(b.Len()))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		changes := !slices.Contains([]string{"1", "1.0", "0", "100 %", "0 dB", "none"}, value)
		if told := rec.Warnings.Has(quality.ScaleIgnored); told != changes {
			t.Errorf("told: %v, wanted %v\n%s%v", told, changes, b.String(), rec.Warnings)
		}
		if len(rec.Analogs) != 2 || rec.Analogs[0].Values[2] != 3.5 || rec.Analogs[1].Values[2] != 5 {
			t.Errorf("%s\ngives %v", b.String(), rec.Analogs)
		}
	})
}

func TestACommaThatNothingTellsToBeADecimalSignIsToldOf(t *testing.T) {
	for text, told := range map[string]bool{
		"frame\ta\n1\t1,234\n2\t1,240\n3\t1,250\n":                true,
		"frame\ta\tb\n1\t1,234\t0,5\n2\t1,240\t0,5\n":             false, // 0,5 tells
		"frame;a\n1;1,234\n2;1,240\n3;1,250\n":                    false, // semicolons do
		"frame\ta\n1\t1.234\n2\t1.240\n3\t1.250\n":                false,
		"time\ta\n0,000\t1,234\n0,010\t1,240\n0,020\t1,250\n":     false, // 0,000 is no thousand
		"frame\ta\tb\n1\t1,234\t9,876\n2\t\t9,875\n3\t1,2\t9,9\n": false,
	} {
		rec, err := table.Read(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		} else if rec.Warnings.Has(quality.DecimalsUnclear) != told {
			t.Errorf("told of: %v, wanted %v\n%s%v", !told, told, text, rec.Warnings)
		}
	}
}
