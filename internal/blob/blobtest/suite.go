// Package blobtest is what everything that keeps files has to do, as tests that
// any upload.Files can be put through.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Run puts an empty upload.Files through everything. names lists what is in its
// place, finished or not, and empty folders too.
func Run(t *testing.T, files upload.Files, names func() []string) {
	s := suite{files, names}
	t.Run("WhatIsPutComesBackAtAnyOffset", s.comesBack)
	t.Run("SeveralMayReadAFileAtOnce", s.readAtOnce)
	t.Run("AllNamesThatAreMadeCanBeUsed", s.names)
	t.Run("ANameThatIsNotCleanIsRefused", s.refusesNames)
	t.Run("AMissingFileIsSaidToBeMissing", s.missing)
	t.Run("ErasingTwiceIsErasingOnce", s.eraseTwice)
	t.Run("AnErrorInTheMiddleLeavesNothing", s.failsMidway)
	t.Run("ASizeThatIsNotKeptLeavesNothing", s.wrongSize)
	t.Run("AContextThatEndsLeavesNothing", s.cancelled)
	t.Run("ANameNeverShowsHalfAFile", s.neverHalf)
	t.Run("NeighboursMayBePutAndErasedAtOnce", s.neighbours)
	t.Run("ALargeFileTakesLittleMemory", s.large)
}

type suite struct {
	files upload.Files
	list  func() []string
}

// Bytes gives n bytes that depend on the seed.
func Bytes(seed uint64, n int64) io.Reader {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return io.LimitReader(rand.NewChaCha8(key), n)
}

func read(t testing.TB, r io.Reader) []byte {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (s suite) put(t *testing.T, name string, content []byte, size int64) {
	t.Helper()
	n, err := s.files.Put(t.Context(), name, bytes.NewReader(content), size)
	if err != nil || n != int64(len(content)) {
		t.Fatalf("put %s: %d bytes, %v", name, n, err)
	}
}

func (s suite) open(t *testing.T, name string) upload.File {
	t.Helper()
	f, err := s.files.Open(t.Context(), name)
	if err != nil {
		t.Fatalf("open %s: %v", name, err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func (s suite) erase(t *testing.T, name string) {
	t.Helper()
	if err := s.files.Erase(t.Context(), name); err != nil {
		t.Fatalf("erase %s: %v", name, err)
	}
}

// empty says that nothing at all is there, finished or not.
func (s suite) empty(t *testing.T, after string) {
	t.Helper()
	if left := s.list(); len(left) > 0 {
		t.Fatalf("after %s there is still %q", after, left)
	}
}

func (s suite) comesBack(t *testing.T) {
	for _, n := range []int64{0, 1, 65535, 65536, 65537, 3 << 20, 16 << 20, 16<<20 + 1} {
		for _, known := range []bool{true, false} {
			name := fmt.Sprintf("original/org=x/%d", n)
			want := read(t, Bytes(uint64(n), n))
			size := n
			if !known {
				size = -1
			}
			s.put(t, name, want, size)
			f := s.open(t, name)
			if f.Size() != n {
				t.Errorf("a file of %d bytes is said to have %d", n, f.Size())
			}
			if got := read(t, io.NewSectionReader(f, 0, f.Size()+1)); !bytes.Equal(got, want) {
				t.Errorf("%d bytes (size known: %v) do not come back as they were", n, known)
			}
			seed := rand.Uint64()
			random := rand.New(rand.NewPCG(seed, 0))
			for range 50 {
				off := random.Int64N(n + 2)
				p := make([]byte, random.Int64N(min(n, 200<<10)+2))
				m, err := f.ReadAt(p, off)
				left := max(0, n-off)
				if int64(m) != min(left, int64(len(p))) || (err != nil) != (int64(len(p)) > left) || err != nil &&
					err != io.EOF ||
					m > 0 && !bytes.Equal(p[:m], want[off:off+int64(m)]) {
					t.Fatalf("%d bytes at %d of %d: %d came, %v (seed %d)", len(p), off, n, m, err, seed)
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			s.erase(t, name)
		}
	}
	s.empty(t, "erasing everything")
}

func (s suite) readAtOnce(t *testing.T) {
	const size = 2 << 20
	want := read(t, Bytes(5, size))
	s.put(t, "shared", want, size)
	f := s.open(t, "shared")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			p := make([]byte, 10_000)
			for off := int64(i) * 30_000; off < size-int64(len(p)); off += 77_777 {
				if _, err := f.ReadAt(p, off); err != nil || !bytes.Equal(p, want[off:off+int64(len(p))]) {
					t.Errorf("10000 bytes at %d are not what was put (%v)", off, err)
					return
				}
			}
		})
	}
	all.Wait()
	s.erase(t, "shared")
}

func (s suite) names(t *testing.T) {
	label := func(v string) *string { return &v }
	org := organization.NewUUID()
	odd := capture.Capture{SessionID: "..hidden %41/√ +&?#", Activity: label("Überkopf 100% = .. ~"),
		Movement: label(strings.Repeat("長い", 90))}
	names := []string{
		upload.OriginalName(org), upload.DerivedName(org, ".trc"), upload.LandingName(org, organization.NewUUID()+"_1"),
		upload.TableName(org, odd), upload.SamplesName(org, odd),
		upload.TableName(org, capture.Capture{SessionID: "a"}),
		"a%2Fb/c d+e&f=g~h/%", "x/" + strings.Repeat("n", 255),
	}
	for i, name := range names {
		s.put(t, name, []byte(fmt.Sprint(i)), -1)
	}
	for i, name := range names {
		f := s.open(t, name)
		if got := read(t, io.NewSectionReader(f, 0, f.Size())); string(got) != fmt.Sprint(i) {
			t.Errorf("under %s there is %q", name, got)
		}
	}
	for _, name := range names {
		s.erase(t, name)
	}
	s.empty(t, "erasing everything")
}

func (s suite) refusesNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "/a", "a/", "a//b", "a/./b", "a/../b", "../a", "a\x00b", `a\b`,
		"a\xff", "incoming/a", strings.Repeat("n", 256), strings.Repeat("a/", 512) + "a"} {
		if n, err := s.files.Put(t.Context(), name, strings.NewReader("x"), 1); err == nil {
			t.Errorf("%d bytes were put under %q", n, name)
		}
		if f, err := s.files.Open(t.Context(), name); err == nil || errors.Is(err, upload.ErrNoFile) {
			t.Errorf("opening %q gives %v, %v", name, f, err)
		}
		if err := s.files.Erase(t.Context(), name); err == nil {
			t.Errorf("%q could be erased", name)
		}
	}
	s.empty(t, "refusing")
}

func (s suite) missing(t *testing.T) {
	s.put(t, "there/file", []byte("x"), 1)
	for _, name := range []string{"nothing", "no/thing", "there", "there/other"} {
		if _, err := s.files.Open(t.Context(), name); !errors.Is(err, upload.ErrNoFile) {
			t.Errorf("opening %s gives %v", name, err)
		}
	}
	s.erase(t, "there/file")
	if _, err := s.files.Open(t.Context(), "there/file"); !errors.Is(err, upload.ErrNoFile) {
		t.Errorf("opening what was erased gives %v", err)
	}
}

func (s suite) eraseTwice(t *testing.T) {
	s.put(t, "a/b/c", []byte("x"), 1)
	s.put(t, "a/d", []byte("y"), 1)
	s.erase(t, "a/b/c")
	s.erase(t, "a/b/c")
	s.erase(t, "never/was/there")
	f := s.open(t, "a/d")
	if got := read(t, io.NewSectionReader(f, 0, 1)); string(got) != "y" {
		t.Errorf("the neighbour reads %q", got)
	}
	s.erase(t, "a/d")
	s.empty(t, "erasing everything")
}

func (s suite) failsMidway(t *testing.T) {
	broken := errors.New("the line went dead")
	for _, n := range []int64{0, 1000, 20 << 20, 40 << 20} {
		for _, size := range []int64{-1, 60 << 20} {
			r := io.MultiReader(Bytes(1, n), iotest.ErrReader(broken))
			if m, err := s.files.Put(t.Context(), "half/file", r, size); m != 0 || err != broken {
				t.Fatalf("after %d bytes and an error: %d, %v", n, m, err)
			}
			if _, err := s.files.Open(t.Context(), "half/file"); !errors.Is(err, upload.ErrNoFile) {
				t.Fatalf("opening it gives %v", err)
			}
			s.empty(t, fmt.Sprintf("an error after %d bytes", n))
		}
	}
}

func (s suite) wrongSize(t *testing.T) {
	for _, n := range []int64{0, 10, 20 << 20} {
		for _, off := range []int64{-1, 1} {
			if n+off < 0 {
				continue
			}
			if m, err := s.files.Put(t.Context(), "wrong", Bytes(1, n), n+off); m != 0 || err == nil {
				t.Errorf("%d bytes that were said to be %d: %d, %v", n, n+off, m, err)
			}
			s.empty(t, "a wrong size")
		}
	}
}

func (s suite) cancelled(t *testing.T) {
	for _, n := range []int64{0, 1000, 20 << 20} {
		ctx, cancel := context.WithCancel(t.Context())
		r := io.MultiReader(Bytes(1, n), onRead(cancel), Bytes(2, 1000))
		if m, err := s.files.Put(ctx, "given/up", r, -1); m != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("given up after %d bytes: %d, %v", n, m, err)
		}
		cancel()
		s.empty(t, "giving up")
	}
}

// onRead does something when it is read, and has nothing to read.
type onRead func()

func (f onRead) Read([]byte) (int, error) { f(); return 0, io.EOF }

func (s suite) neverHalf(t *testing.T) {
	const size = 17 << 20
	want := read(t, Bytes(7, size))
	begun, looked := make(chan struct{}), make(chan struct{})
	// One reader looks while half of the file is there, and then until all of it is.
	pause := onRead(func() { close(begun); <-looked })
	done := make(chan error, 1)
	go func() {
		_, err := s.files.Put(t.Context(), "slow/file",
			io.MultiReader(bytes.NewReader(want[:size-10]), pause, bytes.NewReader(want[size-10:])), -1)
		done <- err
	}()
	<-begun
	if _, err := s.files.Open(t.Context(), "slow/file"); !errors.Is(err, upload.ErrNoFile) {
		t.Errorf("half a file can be opened: %v", err)
	}
	close(looked)
	for {
		f, err := s.files.Open(t.Context(), "slow/file")
		if errors.Is(err, upload.ErrNoFile) {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				done <- nil
			default:
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, io.NewSectionReader(f, 0, f.Size())); !bytes.Equal(got, want) {
			t.Errorf("the name showed %d bytes of %d", len(got), size)
		}
		_ = f.Close()
		break
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	s.erase(t, "slow/file")
	s.empty(t, "erasing it")
}

func (s suite) neighbours(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 25 {
				name := fmt.Sprintf("deep/er/and/deeper/%d-%d", i, j)
				_, err := s.files.Put(t.Context(), name, strings.NewReader(name), -1)
				for tries := 0; fault.Is(err, fault.Unavailable) && tries < 20; tries++ {
					// whoever is told to comes again
					_, err = s.files.Put(t.Context(), name, strings.NewReader(name), -1)
				}
				if err != nil {
					t.Errorf("put while neighbours are erased: %v", err)
					return
				}
				f, err := s.files.Open(t.Context(), name)
				if err != nil {
					t.Errorf("open while neighbours are erased: %v", err)
					return
				}
				_ = f.Close()
				if err := s.files.Erase(t.Context(), name); err != nil {
					t.Errorf("erase: %v", err)
					return
				}
			}
		})
	}
	all.Wait()
	s.empty(t, "erasing everything")
}

// large sends 64 MiB and looks at the memory in use after every four of them.
func (s suite) large(t *testing.T) {
	const size, limit = 64 << 20, 40 << 20
	for _, known := range []int64{-1, size} {
		inUse() // twice, for a pool outlives the first
		before := inUse()
		var most uint64
		var pieces []io.Reader
		for i := range 16 {
			pieces = append(pieces, Bytes(uint64(i), 4<<20), onRead(func() { most = max(most, inUse()) }))
		}
		n, err := s.files.Put(t.Context(), "large", io.MultiReader(pieces...), known)
		if err != nil || n != size {
			t.Fatalf("put: %d bytes, %v", n, err)
		}
		f := s.open(t, "large")
		p, q := make([]byte, 32<<10), make([]byte, 32<<10)
		for i := range 16 {
			want := Bytes(uint64(i), 4<<20)
			for off := int64(i) * 4 << 20; off < int64(i+1)*4<<20; off += int64(len(p)) {
				if _, err := f.ReadAt(p, off); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(want, q); err != nil || !bytes.Equal(p, q) {
					t.Fatalf("the 32 KiB at %d are not what was put (%v)", off, err)
				}
			}
			most = max(most, inUse())
		}
		_ = f.Close()
		s.erase(t, "large")
		used := int64(most) - int64(before)
		t.Logf("64 MiB (size %d) took %d KiB of memory", known, used>>10)
		if used > limit {
			t.Errorf("64 MiB (size %d) took %d MiB of memory, more than %d", known, used>>20, limit>>20)
		}
	}
}

// inUse gives the bytes that something still refers to.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
