package jsscan

import "github.com/tdewolff/parse/v2/js"

// needModule notes an import or export declaration at the current token.
func (s *scanner) needModule() {
	s.f.statements++
	if s.goal == Auto {
		s.becomeModule()
	} else if s.goal != AsModule {
		s.fail(s.start, "import and export declarations need a module")
	}
}

// Imports returns the strings, with their quotes, that name the modules which a module imports when it is
// loaded. Its error is a *SyntaxError.
func Imports(src []byte) ([]string, error) {
	text := terminated(src)
	defer texts.Put(text)
	s := newScanner(*text)
	s.goal = AsModule
	if s.run(); s.err != nil {
		return nil, s.err
	}
	found := make([]string, len(s.modules))
	for i, name := range s.modules {
		found[i] = string(src[name.start:name.end])
	}
	return found, nil
}

// importDeclaration reads an import from its keyword. Between it and the module's
// name are names, keywords and one pair of braces.
func (s *scanner) importDeclaration() {
	s.needModule()
	s.next()
	for s.tt != js.StringToken {
		switch {
		case s.tt == js.OpenBraceToken:
			s.specifiers()
		case s.isName(), s.tt == js.DefaultToken, s.tt == js.CommaToken, s.tt == js.MulToken:
			s.next()
		default:
			s.unexpected()
			return
		}
	}
	s.moduleName()
}

// specifiers reads the braces of an import or export.
func (s *scanner) specifiers() {
	s.next()
	for s.tt != js.CloseBraceToken {
		if !js.IsIdentifierName(s.tt) && s.tt != js.StringToken && s.tt != js.CommaToken {
			break
		}
		s.next()
	}
	s.expect(js.CloseBraceToken)
}

// moduleName reads the string that names a module, its attributes and the end of
// the declaration.
func (s *scanner) moduleName() {
	s.modules = append(s.modules, span{s.start, s.end})
	s.expect(js.StringToken)
	if s.tt == js.WithToken || s.tt == js.IdentifierToken && !s.newline && string(s.text()) == "assert" {
		s.next()
		if s.tt != js.OpenBraceToken {
			s.unexpected()
			return
		}
		s.object()
	}
	s.semicolon()
}

// exportDeclaration reads an export from its keyword.
func (s *scanner) exportDeclaration() {
	s.needModule()
	s.next()
	switch {
	case s.tt == js.DefaultToken:
		s.exportDefault()
	case s.tt == js.MulToken:
		s.next()
		for s.tt != js.FromToken || s.isFromName() {
			if !js.IsIdentifierName(s.tt) && s.tt != js.StringToken {
				s.unexpected()
				return
			}
			s.next()
		}
		s.next()
		s.moduleName()
	case s.tt == js.OpenBraceToken:
		s.specifiers()
		if s.accept(js.FromToken) {
			s.moduleName()
		} else {
			s.semicolon()
		}
	default:
		s.f.statements-- // the declaration counts itself
		s.statement(atBody)
	}
}

// isFromName reports whether the current token, from, is the name that follows
// `export * as`.
func (s *scanner) isFromName() bool {
	c := s.follows()
	return c != '"' && c != '\''
}

// exportDefault reads a default export from the keyword default.
func (s *scanner) exportDefault() {
	bind := binding{s.start, s.end}
	s.next()
	s.decorators()
	start := s.start
	async := false
	if s.tt == js.AsyncToken {
		if word, _ := s.following(false); string(word) == "function" {
			async = true
			s.next()
		}
	}
	switch s.tt {
	case js.FunctionToken:
		s.next()
		generator := s.accept(js.MulToken)
		s.plainFunction(Declaration, start, async, generator, bind)
	case js.ClassToken:
		s.class(bind)
	default:
		s.expression(0, bind)
		s.semicolon()
	}
}
