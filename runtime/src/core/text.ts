// Makes Function.prototype.toString return the source's text. Programs send functions
// as text to where our names are unknown, and some inspect their own text.
//
// The inserted strings are a closed set (transform/dialect.go), and their names do not
// occur in the source. So if a text contains such names, and none once those strings
// are removed, the rest is the source; any other text is returned unchanged.

// As they are before the page can replace them. Reflect.defineProperty does not throw.
export const { apply, defineProperty, getOwnPropertyDescriptor: describe } = Reflect;
const { prototype } = Function;
const before = prototype.toString;

/** String.prototype.replace may be the page's, and call toString again. */
let depth = 0;

/**
 * Finds a check of the inline form, f[1]=f[0], or of the compact form, e(), and the
 * suffix that all names share. In the compact form it is one that Choose gives, so that
 * a program's own $_load() is not mistaken for a check. Texts may be large, so no pattern
 * here visits a character more than a few times.
 */
const ours = /(?:_?\$f(?=\w*\[1]=_?\$f)|(?:\$_|_\$)[elx](?=(?:_fieldprof)?\d*\())(\w*)/;

/** The depth at which our open bracket closes, and the outer ones. */
type Opened = [depth?: number, before?: Opened];

function sourceOf(text: string): string {
  const names = ours.exec(text);
  if (!names) return text;
  /** How many brackets of the source are open, ( and { alike, including those in strings. */
  let depth = 0;
  let opened: Opened = [];
  const source = text
    // Each name becomes \v and its letter: f flag, r value, e entry, l loop, x exit.
    .replace(RegExp("([^\\w$])(?:_\\$|\\$(?=[fr])|\\$_(?=[elx]))([efrlx])" + names[1] + "(?![\\w$])", "g"), "$1\v$2")
    // Each check, (f[1]=f[0])&&f.c.c(0), becomes k; an exit check of the compact form with a value remains x(.
    .replace(/\(\vf.{4}\vf.{6}\vf.{7}|\v.\(\)/g, "\vk")
    // In this order:
    //   {;k;  {;;k;return  {;var r=k;return   openings of bodies for a loop or an arrow
    //   k;  var r=k;                      heads
    //   r=(  r=(r,  x(  k,  (k,               openings of values; a space before is ours if no word follows
    //   ),k,r                                 and their closings
    //   void(k)  k  ;k}                       bare yields and returns, ends of bodies
    //   /*f+0*/;  /*f+2*/  (  )               ends of statements, marks, brackets
    .replace(
      /(\{);(?:\vk;|(?:var \vr|;)[=\vk0]*;return )|var \vr[=\vk0]*;|\vk;|( ?)(\()?(?:\vr=\((?:\vr,)?|(\vx\()|\vk,)(?=(\w?))|\),\vk,\vr| \vk| void\(\vk\)|;\vk(?=})|\/.\v.(.\d+).\/;?|([({])|([)}])/g,
      (_, body, space, paren, call, next, marks, open, close) => {
        if (open) depth++;
        // The depth is the source's alone: a mark moves where the bracket around it closes.
        else if (marks) opened[0]! -= marks;
        if (close) {
          if (opened[0] === depth) opened = opened[1]!;
          else {
            depth--;
            open = close;
          }
        }
        for (const ours of [body, paren, call]) if (ours) opened = [depth, opened];
        return open || (paren || next ? space : "");
      },
    );
  return opened[1] || /\v\w/.test(source) ? text : source;
}

/** Replaces Function.prototype.toString by a function that looks the same. */
export function showSources() {
  // A static method of a class is strict, and not a constructor.
  const { toString } = class {
    static toString() {
      let text = apply(before, (this as unknown) === toString ? before : this, []);
      try {
        if (!depth++) text = sourceOf(text);
      } catch {
        // The page has changed patterns or strings: the text remains as it is.
      }
      depth--;
      return text;
    }
  };
  prototype.toString = toString;
}
