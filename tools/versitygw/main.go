// The program versitygw is the S3 server of the tests: versitygw over a folder, without the
// other places that its own program can keep files in, and the clients of their clouds.
//
//	versitygw ADDRESS REGION FOLDER
//
// The keys are in ROOT_ACCESS_KEY and ROOT_SECRET_KEY. The account guest has the same secret key, and only the rights
// that the policy of a bucket gives it. GET /health answers 200 when it is up.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "versitygw:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 3 {
		return errors.New("versitygw ADDRESS REGION FOLDER")
	}
	address, region, folder := args[0], args[1], args[2]
	objects, about, versions := filepath.Join(folder, "objects"), filepath.Join(folder, "about"),
		filepath.Join(folder, "versions")
	for _, one := range []string{objects, about, versions} {
		if err := os.MkdirAll(one, 0o700); err != nil {
			return err
		}
	}
	// What is known about objects lies beside them, because not every file system has
	// extended attributes.
	beside, err := meta.NewSideCar(about)
	if err != nil {
		return err
	}
	options := posix.PosixOpts{VersioningDir: versions, SideCarDir: about, Concurrency: 5000,
		CopyObjectThreshold: 5 << 30}
	files, err := posix.New(objects, beside, options)
	if err != nil {
		return err
	}
	root := auth.Account{Access: os.Getenv("ROOT_ACCESS_KEY"), Secret: os.Getenv("ROOT_SECRET_KEY"),
		Role: auth.RoleAdmin}
	accounts, err := auth.NewInternal(root, folder)
	if err != nil {
		return err
	}
	guest := auth.Account{Access: "guest", Secret: root.Secret, Role: auth.RoleUser}
	if err := accounts.CreateAccount(guest); err != nil && !errors.Is(err, auth.ErrUserExists) {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), files, &embedgw.Config{
		RootUserAccess: root.Access, RootUserSecret: root.Secret, IAMService: accounts,
		Region: region, Ports: []string{address}, HealthPath: "/health", Quiet: true,
		MaxConnections: 250_000, MaxRequests: 100_000, MultipartMaxParts: 10_000,
	})
}
