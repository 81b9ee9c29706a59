// Package cli is the command line: one file a verb. A verb reads its flags,
// asks the store or the app, and prints what came of it, for people or, with
// --json, for programs.
//
// The exit code is 0 when all went well, 1 when it did not, and 2 when the
// command was not understood: an unknown flag, a value that breaks a rule, a
// setting that is wrong.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
)

// World is what a command has of the world around it.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) (string, bool) // as os.LookupEnv
	Environ  func() []string             // as os.Environ; nil is not known
}

// Outside is the world of a real process.
func Outside() *World {
	return &World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Environ: os.Environ}
}

// commands is the tree of all verbs, in the order in which help shows them.
type commands struct {
	Serve       serveCmd         `cmd:"" help:"Serve the interface over HTTP."`
	Demo        demoCmd          `cmd:"" help:"Serve a made-up organization from a folder of its own, to look around in."`
	Import      importCmd        `cmd:"" help:"Bring athletes, captures and export jobs in, from manifests or folders of motion files."`
	Export      exportCmd        `cmd:"" help:"Have a server build an export, and download it."`
	MCP         mcpCmd           `cmd:"" name:"mcp" help:"Let an assistant ask a server questions, by the Model Context Protocol on standard input and output."`
	Measure     measureCmd       `cmd:"" help:"Measure recordings again that another version of the library of movements has measured. A server does so by itself; this one says how many values change."`
	Org         orgCommands      `cmd:"" help:"Create, list, rename, suspend, limit and delete organizations."`
	Token       tokenCommands    `cmd:"" help:"Create, list, revoke and rotate access tokens."`
	Webhook     webhookCommands  `cmd:"" help:"Have programs told what changes, and see what was delivered to them."`
	Backup      backupCmd        `cmd:"" help:"Back the whole store up, with its files, while servers run; or verify a backup."`
	Restore     restoreCmd       `cmd:"" help:"Bring a backup into an empty store, and erase again what was erased since."`
	Audit       auditCmd         `cmd:"" help:"Print the audit log of an organization: who did what to which object when."`
	Doctor      doctorCmd        `cmd:"" help:"Examine the store, its files, the settings and the neighbours, and say what to do about what is wrong."`
	Migrate     migrateCmd       `cmd:"" help:"Bring the store to the form that this version needs. Every command does so by itself; this one does nothing else."`
	Healthcheck healthcheckCmd   `cmd:"" help:"Ask a running server whether it is ready."`
	Version     versionCmd       `cmd:"" help:"Print the version."`
	ReadFile    readFileCmd      `cmd:"" hidden:"" passthrough:"" help:"Read a motion file, as a child of the server."`
	Confined    confinedCmd      `cmd:"" hidden:"" passthrough:"" help:"Run a program under limits, as a child of the server."`
	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

type orgCommands struct {
	Create  orgCreateCmd  `cmd:"" help:"Create an organization."`
	List    orgListCmd    `cmd:"" help:"List all organizations."`
	Rename  orgRenameCmd  `cmd:"" help:"Give an organization another name."`
	Suspend orgSuspendCmd `cmd:"" help:"Refuse all tokens of an organization, or take them again."`
	Usage   orgUsageCmd   `cmd:"" help:"Say what an organization has, and may have."`
	Quota   orgQuotaCmd   `cmd:"" help:"Say how much an organization may have."`
	Delete  orgDeleteCmd  `cmd:"" help:"Erase an organization with everything that it has."`
}

type tokenCommands struct {
	Create tokenCreateCmd `cmd:"" help:"Create an access token for an organization. It is shown once."`
	List   tokenListCmd   `cmd:"" help:"List access tokens, without their secrets."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke an access token. It counts at once."`
	Rotate tokenRotateCmd `cmd:"" help:"Give an access token a new secret and a whole new lifetime. The old secret ends at once."`
}

// exit is how kong ends early, after it has printed help or the version.
type exit int

// Main runs the command that the arguments name and gives the exit code. A
// command that goes on, as serve does, ends gracefully when ctx does.
func Main(ctx context.Context, args []string, w *World) int {
	if len(args) == 0 { // who says nothing has to be told what there is to say
		_ = run(ctx, []string{"--help"}, &World{In: w.In, Out: w.Err, Err: w.Err, Env: w.Env})
		return 2
	}
	return run(ctx, args, w)
}

func run(ctx context.Context, args []string, w *World) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exit:
			code = int(r)
		default:
			panic(r)
		}
	}()
	parser, err := kong.New(&commands{},
		kong.Name("kinebase"),
		kong.Description("A server for motion captures and the athletes in them."),
		kong.Writers(w.Out, w.Err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{"version": Version(), "scopes": organization.AllPermissions.String(), "kinds": kinds()},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(w),
	)
	if err != nil {
		panic(err) // the tree above is wrong; every test would see it
	}
	if args[0] == "help" { // as many other programs have it
		args = append(args[1:len(args):len(args)], "--help")
	}
	command, err := parser.Parse(args)
	if err != nil {
		_, _ = fmt.Fprintln(w.Err, "kinebase: "+misuse(err))
		_, _ = fmt.Fprintln(w.Err, "kinebase: "+hint(err))
		return 2
	}
	if err := command.Run(); err != nil {
		return w.end(err)
	}
	return 0
}

// hint says which help shows what would have been right.
func hint(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if command := parse.Context.Command(); command != "" {
			verbs, _, _ := strings.Cut(command, " <")
			return "see kinebase " + verbs + " --help"
		}
	}
	return "see kinebase --help"
}

// kinds lists the kinds of motion files that can be read: BVH, C3D and TRC.
func kinds() string {
	var names []string
	for _, k := range motion.Kinds() {
		if k.Readable() {
			names = append(names, k.String())
		}
	}
	return fault.Listed(names)
}

// usageError is a command that was not understood.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errReported ends a command that has said itself what went wrong.
var errReported = errors.New("already reported")

// end prints an error, if it is not printed yet, and gives its exit code.
func (w *World) end(err error) int {
	if errors.Is(err, errReported) {
		return 1
	}
	w.complain(err)
	var (
		misuse usageError
		faults config.Faults
	)
	if errors.As(err, &misuse) || errors.As(err, &faults) {
		return 2
	}
	return 1
}

// misspelled gives a word of warning about variables that look like settings and
// are none; "" when there are none.
func (w *World) misspelled() string {
	if w.Environ == nil {
		return ""
	}
	switch names := config.Unknown(w.Environ()); len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is no setting and is passed over; docs/configuration.md lists all"
	default:
		return strings.Join(names, ", ") + " are no settings and are passed over; docs/configuration.md lists all"
	}
}

// complain prints an error as one line for people.
func (w *World) complain(err error) {
	_, _ = fmt.Fprintln(w.Err, "kinebase: "+explain(err))
}
