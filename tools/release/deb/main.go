// Command deb makes the deb of a release around a program that is built already, without compressing it: deb CLONE
// PROGRAM FILE. Tests install it.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/kinebase/kinebase/tools/release/pack"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "deb CLONE PROGRAM FILE")
		os.Exit(2)
	}
	made := pack.Package{Source: os.Args[1], Program: os.Args[2], Arch: runtime.GOARCH, Version: "0.0.1",
		Date: time.Unix(0, 0).UTC(), Plain: true}
	err := made.Write("deb", func(_ string, write func(io.Writer) error) error {
		f, err := os.Create(os.Args[3])
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			_ = f.Close()
			return err
		}
		return f.Close()
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "deb:", err)
		os.Exit(1)
	}
}
