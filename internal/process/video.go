package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// NoPoseEstimator is the code of the warning on a video of which nothing makes
// motion.
const NoPoseEstimator = "no-pose-estimator"

// video adds to what is known of a video what its processor makes of it. Frames of
// which that tells neither a rate nor times come as fast as the pictures.
func (r *Runner) video(ctx context.Context, s organization.Scope, of upload.Source, f upload.File,
	got *upload.Reading) (err error) {
	if len(r.Video) == 0 {
		got.Info, err = change(got.Info, func(i *frames.Info) {
			i.Warnings = append(i.Warnings,
				frames.Warning{Code: NoPoseEstimator,
					Message: "This is a video, and no pose estimator is set up that would make motion of it: " +
						"KINEBASE_VIDEO_PROCESSOR names the command of one, which `make video` installs. The video " +
						"and its " +
						"frame rate were kept."})
		})
		return err
	}
	var filmed frames.Info
	if err := json.Unmarshal(got.Info, &filmed); err != nil {
		return err
	}
	derived, err := r.Derive(ctx, of, &filmed, f)
	if err != nil {
		return err
	}
	got.Derived, got.Extension = derived.File, derived.Extension
	made, err := r.read(ctx, s, "derived"+derived.Extension, derived.File, got.Rate)
	var unreadable *upload.Unreadable
	if errors.As(err, &unreadable) {
		return &upload.Unreadable{Reason: "What the video processor made of the video cannot be read. " +
			unreadable.Reason}
	}
	if err != nil {
		return err
	}
	var motion frames.Info
	if err := json.Unmarshal(made.Info, &motion); err != nil {
		return errors.Join(err, made.Close())
	}
	got.Table, got.Samples = made.Table, made.Samples
	got.Info, err = change(got.Info, func(i *frames.Info) {
		motion.Format, motion.Video, motion.Warnings = i.Format, i.Video, append(i.Warnings, motion.Warnings...)
		derived.beside.tell(&motion)
		*i = motion
	})
	if motion.Rate != nil {
		got.Rate = *motion.Rate
	}
	return err
}

// Derived is what a video processor has made: a file without a name, and its ending with
// the dot.
type Derived struct {
	upload.File
	Extension string
	beside    beside
}

// Derive has the video processor make a motion file of a video. The words {input}
// and {output} of its command become paths in a folder that nobody else can enter
// and that is gone afterwards: the video, with the ending of its name, and "output"
// beside it, to which the command or the program adds an ending ({output}.trc). The
// first file there, by name, that is called output and has the ending of a motion
// file, but of no video, is the result. output.json beside it, if there is one, says
// what the motion file cannot. {about} becomes the path of a file that says what is
// known of the video. A line of its standard output such as "done 0.25" says which part is done.
//
// The errors are those of Read: a processor that fails has died of the video.
func (r *Runner) Derive(ctx context.Context, of upload.Source, filmed *frames.Info, f upload.File) (_ *Derived,
	err error) {
	room, leave, err := r.room()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	input, err := r.writeInput(room, of, f)
	if err != nil {
		return nil, err
	}
	about, err := r.writeAbout(room, of, filmed)
	if err != nil {
		return nil, err
	}
	// Each process that the command starts has the limits for itself. Processor time is
	// limited too, to as much as all cores give in the time: that ends what outlives us.
	seconds := int64(math.Ceil(r.VideoTime.Seconds())) * int64(runtime.NumCPU())
	var words []string
	for _, word := range r.Video {
		words = append(words, strings.NewReplacer("{input}", input, "{output}", filepath.Join(room, "output"),
			"{about}", about).Replace(word))
	}
	c := command{args: r.confinedArgs(room, seconds, words), env: environment(room), dir: room,
		terms: terms{what: processor, who: processor, memory: r.VideoMemory, time: r.VideoTime}}
	if of.Tell != nil {
		c.hear = func(line string) {
			if done, ok := doneOf(line); ok {
				of.Tell(done)
			}
		}
	}
	out, tail, err := c.run(ctx)
	if err != nil {
		r.log().WarnContext(ctx, "The video processor ended badly.", "error", err.Error(), "output", tail)
		var died *upload.Died
		if said := lastLine(tail, room); errors.As(err, &died) && said != "" {
			return nil, &upload.Died{Reason: died.Reason + " Its last words: " + said}
		}
		return nil, err
	}
	made, extension, err := findOutput(room)
	if err != nil {
		return nil, err
	}
	if made == "" {
		nothing := "The video processor ended well but left no file called output with the ending of a motion file, " +
			"such as output.trc."
		if said := lastLine(tail+"\n"+withoutProgress(string(out[max(0, len(out)-edge):])), room); said != "" {
			nothing += " Its last words: " + said
		}
		return nil, &upload.Died{Reason: nothing}
	}
	beside, err := readBeside(room)
	if err != nil {
		return nil, err
	}
	file, err := openOutput(filepath.Join(room, made))
	if err != nil {
		return nil, err
	}
	return &Derived{file, extension, beside}, nil
}

var errLink = errors.New("it is a link")

// openOutput opens what the processor made. Processes that it left may still run: a link
// that one of them puts in the place of the file is not followed.
func openOutput(name string) (upload.File, error) {
	file, err := openPlainly(name)
	if errors.Is(err, errLink) {
		return nil, &upload.Died{Reason: "The video processor put a link in the place of its output."}
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.Join(&upload.Died{Reason: "What the video processor made is no file."}, file.Close())
	}
	return held{file, info.Size()}, nil
}

// findOutput finds what the processor made; nothing is no error.
func findOutput(room string) (name, extension string, err error) {
	entries, err := os.ReadDir(room) // sorted by name
	if err != nil {
		return "", "", err
	}
	for _, e := range entries {
		kind, ok := motion.KindOf(e.Name())
		stem := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		if stem == "output" && ok && kind != motion.MP4 && kind != motion.MOV && e.Type().IsRegular() {
			return e.Name(), kind.Extension(), nil
		}
	}
	return "", "", nil
}

// environment is what a video processor has of ours: where programs and libraries
// are, and no setting or secret of the server.
func environment(room string) []string {
	env := []string{"TMPDIR=" + room, "HOME=" + room}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains([]string{"PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV",
			"OMP_NUM_THREADS"}, name) ||
			strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "CUDA_") || strings.HasPrefix(name, "NVIDIA_") {
			env = append(env, entry)
		}
	}
	return env
}

// lastLine is the last thing that a program said, without the paths of the room.
func lastLine(tail, room string) string {
	tail = strings.ReplaceAll(strings.TrimSpace(tail), room+"/", "")
	line := tail[strings.LastIndexByte(tail, '\n')+1:]
	line = strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, line), "�")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200]) + "…"
	}
	return line
}

// copyTo copies a file under a name.
func copyTo(name string, f upload.File) error {
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(f, 0, f.Size()))
	return errors.Join(err, to.Close())
}

const roomPattern = "kinebase-video-"

// room makes a folder for one video, and removes those of processes that are no
// more: a lock in each tells, which ends with whoever holds it.
func (r *Runner) room() (room string, leave func() error, err error) {
	dir := r.Dir
	if dir == "" {
		dir = os.TempDir()
	}
	r.sweep(dir)
	if room, err = os.MkdirTemp(dir, roomPattern); err != nil { // 0700
		return "", nil, err
	}
	lock, err := locked(room)
	if err == nil && lock == nil {
		err = errors.New("a folder that was just made is in use")
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(room))
	}
	return room, func() error { return errors.Join(os.RemoveAll(room), lock.Close()) }, nil
}

// locked locks a folder; nil when somebody else has it.
func locked(room string) (*os.File, error) {
	dir, err := os.Open(room)
	if err != nil {
		return nil, err
	}
	if mine, err := lockFolder(dir); err != nil || !mine {
		return nil, errors.Join(err, dir.Close())
	}
	return dir, nil
}

// sweep removes the folders of the dead.
func (r *Runner) sweep(dir string) {
	old, _ := filepath.Glob(filepath.Join(dir, roomPattern+"*"))
	for _, room := range old {
		lock, err := locked(room)
		if err == nil && lock != nil {
			err = errors.Join(os.RemoveAll(room), lock.Close())
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			r.log().Warn("The folder of a video processor that is no more cannot be removed.", "error", err.Error())
		}
	}
}

// ParseCommand takes a command apart at its blanks, as a shell does: in quotation
// marks, single or double, they are part of a word, and a backslash makes any
// character one, but within single ones. Nothing else means anything: no variables,
// no pipes. It must have {input} and {output} in it.
func ParseCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the command has a %c that is not closed", quote)
	case escaped:
		return nil, errors.New("the command ends with a backslash")
	}
	if begun {
		words = append(words, word.String())
	}
	for _, place := range []string{"{input}", "{output}"} {
		if !strings.Contains(strings.Join(words, " "), place) {
			return nil, fmt.Errorf("the command must have %s in it, where the path goes", place)
		}
	}
	return words, nil
}
