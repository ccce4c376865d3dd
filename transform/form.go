package transform

import (
	"fmt"
	"slices"
)

// Form is how checks are worded for target web.
type Form uint8

// The forms.
const (
	Inline  Form = iota // tests the flag where it is: (f[1]=f[0])&&c(0)
	Compact             // calls the runtime, which tests it: e(); fewer bytes, more time
)

var formNames = [...]string{Inline: "inline", Compact: "compact"}

func (f Form) String() string {
	if int(f) < len(formNames) {
		return formNames[f]
	}
	return fmt.Sprintf("Form(%d)", uint8(f))
}

// ParseForm finds a form by name. The error lists the names there are.
func ParseForm(name string) (Form, error) {
	if i := slices.Index(formNames[:], name); i >= 0 {
		return Form(i), nil
	}
	return 0, fmt.Errorf("no form %q: choose inline or compact", name)
}
