package k6

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
)

// reference is a name by which a script refers to another file or module.
type reference struct {
	name   string
	after  int // a place in the text at or before the literal
	within int // and one after it
	by     means
}

// means is how a script refers.
type means int

const (
	statement means = iota // import or export
	required               // require()
	opened                 // open()
)

// references lists what a script imports, requires and opens by names that are literals.
// Prefix is what k6 puts before its text. Calls are found wherever they are.
func references(program *ast.Program, text string, prefix int) []reference {
	var all []reference
	at := func(i file.Idx) int { return max(int(i)-program.File.Base()-prefix, 0) }
	for _, i := range program.ImportEntries {
		specifier := i.ModuleSpecifier
		if i.FromClause != nil {
			specifier = i.FromClause.ModuleSpecifier
		}
		all = append(all, reference{name: specifier.String(), after: at(i.Idx), within: len(text)})
	}
	for _, e := range program.ExportEntries {
		if e.FromClause != nil {
			all = append(all, reference{name: e.FromClause.ModuleSpecifier.String(), after: at(e.Idx), within: len(text)})
		}
	}
	walk(reflect.ValueOf(program.Body), func(call *ast.CallExpression) {
		callee, ok := call.Callee.(*ast.Identifier)
		if !ok || callee.Name != "require" && callee.Name != "open" || len(call.ArgumentList) == 0 {
			return
		}
		if literal, ok := call.ArgumentList[0].(*ast.StringLiteral); ok {
			by := required
			if callee.Name == "open" {
				by = opened
			}
			all = append(all, reference{literal.Value.String(), at(literal.Idx0()), at(literal.Idx1()), by})
		}
	})
	return all
}

// walk visits all calls below a node.
func walk(v reflect.Value, visit func(*ast.CallExpression)) {
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), visit)
	case reflect.Pointer:
		if v.IsNil() || v.Type() == fileType {
			return
		}
		if call, ok := v.Interface().(*ast.CallExpression); ok {
			visit(call)
		}
		walk(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			// Declaration lists are in the body, too.
			if field := v.Type().Field(i); field.IsExported() && field.Name != "DeclarationList" {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}

var fileType = reflect.TypeFor[*file.File]()

// follow makes modules of what a script refers to.
func (s *session) follow(script string, all []reference) {
	base, err := url.Parse(script)
	if err != nil {
		return
	}
	bases := []*url.URL{base.JoinPath("..")}
	if s.home != nil {
		bases = append(bases, s.home)
	}
	for _, r := range all {
		if r.name == "k6" || strings.HasPrefix(r.name, "k6/") {
			s.use(r.name)
			continue
		}
		for n, base := range bases {
			u, err := resolve(base, r.name)
			switch {
			case err != nil:
			case r.by == opened:
				s.open(u)
			case n == 0 || script == standardInputName:
				s.add(u)
			}
		}
	}
}

// resolve follows a specifier as k6 does. An open() of a path that begins with neither
// dot nor slash is relative, too.
func resolve(base *url.URL, specifier string) (*url.URL, error) {
	if strings.Contains(specifier, "://") {
		return url.Parse(specifier)
	}
	directory := *base
	if !strings.HasSuffix(directory.Path, "/") {
		directory.Path += "/"
	}
	return directory.Parse(specifier)
}

// addition is text that goes into a script at a place.
type addition struct {
	at   int
	text string
}

// redirect makes the names of replaced modules those of their replacements. Statements import
// the replaced module, too: k6 then knows it before anything runs. It would know it later when
// the replacement asks for it, which is no time to change what k6 knows: it reads that from
// other goroutines, too, to find what "export *" exports.
func redirect(text string, all []reference) []addition {
	var additions []addition
	for _, r := range all {
		if !slices.Contains(replaced, r.name) || r.by == opened || r.after >= len(text) {
			continue
		}
		best := -1
		for _, literal := range []string{`"` + r.name + `"`, "'" + r.name + "'"} {
			if i := strings.Index(text[r.after:r.within], literal); i >= 0 && (best < 0 || r.after+i < best) {
				best = r.after + i
			}
		}
		if best < 0 {
			continue
		}
		additions = append(additions, addition{best + len(`"k6`), strings.TrimPrefix(moduleName, "k6")})
		if r.by == statement {
			additions = append(additions, addition{best + len(r.name) + len(`""`), ";import" + strconv.Quote(r.name)})
		}
	}
	slices.SortFunc(additions, func(a, b addition) int { return a.at - b.at })
	return slices.Compact(additions) // two references may have found one literal
}

// exported are the local names of what a declaration exports.
func exported(e *ast.ExportDeclaration) []string {
	var names []string
	bind := func(list []*ast.Binding) {
		for _, b := range list {
			if id, ok := b.Target.(*ast.Identifier); ok {
				names = append(names, id.Name.String())
			}
		}
	}
	switch {
	case e.FromClause != nil:
	case e.NamedExports != nil:
		for _, specifier := range e.NamedExports.ExportsList {
			names = append(names, specifier.IdentifierName.String())
		}
	case e.LexicalDeclaration != nil:
		bind(e.LexicalDeclaration.List)
	case e.Variable != nil:
		bind(e.Variable.List)
	case e.HoistableDeclaration != nil && e.HoistableDeclaration.FunctionDeclaration != nil:
		if name := e.HoistableDeclaration.FunctionDeclaration.Function.Name; name != nil {
			names = append(names, name.Name.String())
		}
	}
	return names
}
