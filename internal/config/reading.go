package config

import (
	"runtime"
	"strconv"
	"time"
)

// readingSettings are those of what reads files and makes motion of videos.
var readingSettings = []Setting{
	{
		Variable: "KINEBASE_WORKERS", Default: "one for each processor core",
		Meaning: "How many files this server reads at the same time, in processes of their own. `0` leaves all of " +
			"them to other servers on the same database.",
		fallback: func(Source) string { return strconv.Itoa(runtime.GOMAXPROCS(0)) },
		set:      setWorkers, get: func(c Config) string { return strconv.Itoa(c.Workers) },
	},
	{
		Variable: "KINEBASE_READ_MEMORY", Default: "1GiB",
		Meaning: "The memory that reading one file may take. A text file takes up to ten times its size; C3D files " +
			"take little, however long they are.",
		fallback: constant("1GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.ReadMemory }, 128<<20, 1<<40),
		get:      func(c Config) string { return sizeText(c.ReadMemory) },
	},
	{
		Variable: "KINEBASE_READ_TIME", Default: "10m",
		Meaning:  "The time that reading one file may take, such as `90s` or `10m`.",
		fallback: constant("10m"),
		set:      setTime(func(c *Config) *time.Duration { return &c.ReadTime }),
		get:      func(c Config) string { return timeText(c.ReadTime) },
	},
	{
		Variable: "KINEBASE_VIDEO_PROCESSOR",
		Meaning: "A command that makes a motion file of a video, such as `/opt/pose/run {input} {output}`; see " +
			"below. Without it a video is kept as it is, with its frame rate.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.VideoProcessor }),
		get:      func(c Config) string { return c.VideoProcessor },
	},
	{
		Variable: "KINEBASE_VIDEO_MEMORY", Default: "8GiB",
		Meaning:  "The memory that this command may take.",
		fallback: constant("8GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.VideoMemory }, 1<<20, 1<<50),
		get:      func(c Config) string { return sizeText(c.VideoMemory) },
	},
	{
		Variable: "KINEBASE_VIDEO_TIME", Default: "30m",
		Meaning:  "The time that this command may take.",
		fallback: constant("30m"),
		set:      setTime(func(c *Config) *time.Duration { return &c.VideoProcessTime }),
		get:      func(c Config) string { return timeText(c.VideoProcessTime) },
	},
	{
		Variable: "KINEBASE_VIDEO_FOLDERS",
		Meaning: "The folders and files, separated by `:`, that this command may read and run programs from, " +
			"besides those of the system: a Python with its packages, models. It reads nothing else of the machine.",
		fallback: constant(""),
		set:      setPaths(func(c *Config) *[]string { return &c.VideoFolders }),
		get:      func(c Config) string { return pathsText(c.VideoFolders) },
	},
	{
		Variable: "KINEBASE_VIDEO_WRITABLE",
		Meaning: "The folders and devices, separated by `:`, that this command may write to, besides its own " +
			"folder: those of a graphics card, a cache. Videos of all organizations share them.",
		fallback: constant(""),
		set:      setPaths(func(c *Config) *[]string { return &c.VideoWritable }),
		get:      func(c Config) string { return pathsText(c.VideoWritable) },
	},
	{
		Variable: "KINEBASE_READER_UID", Default: "65534",
		Meaning: "The number of the account and the group that readers of files and this command run as where the " +
			"server is root; `0` leaves them root. A server that is not root runs them as itself.",
		fallback: constant("65534"),
		set:      setUID, get: func(c Config) string { return strconv.Itoa(c.ReaderUID) },
	},
}
