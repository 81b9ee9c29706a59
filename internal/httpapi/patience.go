package httpapi

import (
	"io"
	"net/http"
	"time"
)

// A server's deadlines are for requests and answers of usual size. A file may take
// as long as it takes, as long as something moves: the deadlines are put off
// whenever it does.

// stall is how long nothing may move, in either direction.
const stall = 30 * time.Second

// patience is how long an answer may not get on. The system takes up to 4 MiB of it at
// once, and has room for more only when a third of that is gone: who takes as little as
// 15 KB a second is still there within it.
const patience = 2 * time.Minute

// patient puts off the deadlines of a call.
type patient struct {
	control *http.ResponseController
	wait    time.Duration // how long nothing may move
	until   time.Time     // not beyond this moment
	set     time.Time     // when it was last done
}

// newPatient is for a call that may take so long in all. Deadlines are moments of
// the real clock.
func newPatient(w http.ResponseWriter, most time.Duration) *patient {
	return &patient{control: http.NewResponseController(w), wait: stall, until: time.Now().Add(most)}
}

// moved says that bytes have moved. Deadlines are the connection's, which a test's
// recorder does not have.
func (p *patient) moved() {
	now := time.Now()
	if now.Sub(p.set) < time.Second {
		return
	}
	p.set = now
	at := now.Add(p.wait)
	if at.After(p.until) {
		at = p.until
	}
	_ = p.control.SetReadDeadline(at)
	_ = p.control.SetWriteDeadline(at.Add(stall)) // the answer comes after the last byte
}

// patientReader reads a body that may take long.
type patientReader struct {
	io.Reader
	*patient
}

// Read reads.
func (r patientReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n > 0 {
		r.moved()
	}
	return n, err
}

// patientWriter writes an answer that may take long.
type patientWriter struct {
	io.Writer
	*patient
}

// newPatientWriter writes an answer that may take as long as a caller needs. Both
// deadlines count: past that of reading, the caller is taken to be gone.
func newPatientWriter(w http.ResponseWriter) patientWriter {
	p := newPatient(w, longestAnswer)
	p.wait = patience
	return patientWriter{w, p}
}

// Write writes.
func (w patientWriter) Write(b []byte) (int, error) {
	w.moved()
	return w.Writer.Write(b)
}
