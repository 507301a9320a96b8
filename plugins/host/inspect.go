package host

import (
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"mmsim/reading"
)

// inspect says what is wrong with a plugin's file in words that help; what the kernel says when it refuses one does not.
func inspect(path string) error {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return fmt.Errorf("no such file")
	case err != nil:
		return reading.Cause(err)
	case info.IsDir():
		return fmt.Errorf("is a directory, not a program")
	case !info.Mode().IsRegular():
		return fmt.Errorf("is not a regular file (mode %v)", info.Mode())
	case info.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("is not executable (mode %04o); run: chmod +x %s", info.Mode().Perm(), path)
	}
	return inspectFormat(path)
}

// inspectFormat refuses what the kernel could not run. A file it cannot read may still be run.
func inspectFormat(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var magic [4]byte
	n, _ := io.ReadFull(f, magic[:])
	built := builtFor(f)
	switch {
	case built != "" && built != runtime.GOOS+"/"+runtime.GOARCH:
		return fmt.Errorf("is built for %s, this is %s/%s", built, runtime.GOOS, runtime.GOARCH)
	case built == "" && !known(magic[:n]):
		return fmt.Errorf("is neither a program for %s/%s nor a script that begins with #!", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// known says whether a file begins like a program or script of this system.
func known(magic []byte) bool {
	if runtime.GOOS == "linux" {
		return strings.HasPrefix(string(magic), "#!") || string(magic) == elf.ELFMAG
	}
	return true
}

// builtFor gives system and architecture of a program as Go names them, or "" if they are not among the usual ones.
// ELF files count as Linux's on Linux, since they rarely say whose they are.
func builtFor(f *os.File) string {
	if e, err := elf.NewFile(f); err == nil {
		arch := map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_RISCV: "riscv64",
			elf.EM_386: "386", elf.EM_ARM: "arm"}[e.Machine]
		if arch != "" {
			return "linux/" + arch
		}
		return ""
	}
	if m, err := macho.NewFile(f); err == nil {
		switch m.Cpu {
		case macho.CpuAmd64:
			return "darwin/amd64"
		case macho.CpuArm64:
			return "darwin/arm64"
		}
	}
	return ""
}

// hash gives the SHA-256 of a file in hex.
func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
