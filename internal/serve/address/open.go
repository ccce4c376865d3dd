package address

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"runtime"
)

// Open opens the address of a page in the user's browser. It does not wait for it.
func Open(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not the address of a page", address)
	}
	command := opener(runtime.GOOS, os.Getenv, u.String())
	program, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("no browser can be opened: %s is missing: open %s yourself", command[0], u)
	}
	process := exec.Command(program, command[1:]...)
	if err := process.Start(); err != nil {
		return fmt.Errorf("no browser can be opened: %w", err)
	}
	go process.Wait()
	return nil
}

// opener is the command that opens an address. No shell reads it.
func opener(system string, env func(string) string, address string) []string {
	switch {
	case system == "darwin":
		return []string{"open", address}
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", address}
	case env("WSL_DISTRO_NAME") != "":
		return []string{"rundll32.exe", "url.dll,FileProtocolHandler", address}
	}
	return []string{"xdg-open", address}
}
