// Function.prototype.toString gives the source's text: a function must run wherever
// its text is sent, where our names are unknown; and some look at their text.
//
// What is inserted is a closed set of strings (transform/dialect.go), and the names
// in it are nowhere in the source. So a text that has them, and none after all those
// strings are out, is the source's; any other is left as it is.

// As they are before anyone replaces them. Reflect's defineProperty does not throw.
export const { apply, defineProperty } = Reflect;
const { prototype } = Function;
const before = prototype.toString;

/** Replacing may call what the page put into String.prototype, which may come here. */
let depth = 0;

/**
 * Finds a check of the inline form, f[1]=f[0], or one of the compact, e(e), and in it
 * prefix and suffix of all names. No pattern here looks more than a few times at a
 * character: texts may be large.
 */
const ours = /(\$|__fp)([efl])(\$?\w{0,20})(?:\[1]=|\()\1\2\3[)[]/;

function sourceOf(text: string): string {
  const names = ours.exec(text);
  if (!names) return text;
  // Each name becomes \v and its letter: f flag, c capture, r value, e entry, l loop, x exit.
  const source = text
    .replace(RegExp("([^\\w$])" + (names[1] + "([cefrlx])" + names[3]).replace(/\$/g, "[$]") + "(?![\\w$])", "g"), "$1\v$2")
    // Each check of the inline form a letter too: k as an expression, else e or l.
    .replace(/(if)?\(\vf\[1]=\vf\[0]\)(?:&&)?\vc\((\d)\)/g, (_, statement, kind) => "\v" + (statement ? "elxe"[kind] : "k"))
    // In this order:
    //   {;var r=k;return   {;e;return(   {;e(e);return   {;return x(   {;l;    openings of an arrow's body, a loop's
    //   ;;var r=k;   ;;e;   l;                                                  heads, perhaps after a directive
    //   )/*e*/}   /*x*/}   /*f*/;                                               ends of such bodies, and of statements
    //   (k,atom)   returnk,void 0                                               what keeps a part: an await's operand, the word
    //   (r=(r,   (x(     ),k,r)   ,0,x))   ,x)                                  before and after values
    //   ;k;   ;x()    void(k)    x()    k,                                      the rest
    .replace(
      /\{;(?:(?:var \vr(?:=\vk)?|\ve(?:\(\v.\))?);return[ (]?|return (?=\v)|\vl(?:\(\v.\))?;)|(?:;;)?(?:var \vr(?:=\vk)?|\v[el](?:\(\v.\))?);|\)\/\*\v[ce]\*\/}|\/\*\v.\*\/.|\(\vk,("[^"]*"|'[^']*'|[^()]+)\)|(return)\vk,void 0|\(?(?:\vr=\((?:\vr,)?|\vx\((?!\)))|\),\vk,\vr\)?|,(?:0,\vx\)|\vx)\)|;(?:\vk|\vx\(\));?| (?:void\(\vk\)|\vx\(\))|\vk,/g,
      "$1$2",
    );
  return /\v[cefklrx]/.test(source) ? text : source;
}

/** Puts itself before Function.prototype.toString, and looks as that did. */
export function showSources() {
  // A static method of a class is strict, and no constructor.
  const { toString } = class {
    static toString() {
      let text = apply(before, (this as unknown) === toString ? before : this, []);
      try {
        if (!depth++) text = sourceOf(text);
      } catch {
        // What the page did to patterns or strings; the text remains as it is.
      }
      depth--;
      return text;
    }
  };
  defineProperty(prototype, "toString", { value: toString });
}
