package process

import (
	"encoding/json"
	"os"
)

// MainWith is Main for tests: instead is called with the name and the files of each request, or "last" where what
// was read last is to be measured, in the child, which is confined, and says whether it has done what was asked.
func MainWith(args []string, instead func(name string, files []*os.File) bool) int {
	var l last
	return run(args, func(q request, files []*os.File) result {
		name := q.Name
		if q.Last {
			name = "last"
		}
		if instead(name, files) {
			return result{Info: json.RawMessage(`{}`)}
		}
		return l.answer(q, files)
	})
}

// What tests want to know of readers that read several files.
const (
	Socket      = socket
	Together    = together
	MostReads   = mostReads
	MostWaiting = mostWaiting
)

// Hasty is how long a file may take in a reader that has read others.
var Hasty = &hastyTime

// Outputs is what a reader may write of a file of that many bytes.
func Outputs(size int64) int64 { return outputs(size) }

// Waiting is how many readers wait for a file.
func (r *Runner) Waiting() int {
	r.idle.mu.Lock()
	defer r.idle.mu.Unlock()
	return len(r.idle.waiting)
}

// Tire has all readers that wait have waited too long.
func (r *Runner) Tire() {
	r.idle.mu.Lock()
	waiting := append([]*worker{}, r.idle.waiting...)
	r.idle.mu.Unlock()
	for _, w := range waiting {
		r.idle.drop(w)
	}
	r.idle.ends.Wait()
}
