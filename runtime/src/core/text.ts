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
 * Finds a check of the inline form, f[1]=f[0], or one of the compact, e(), and in it
 * the suffix of all names. No pattern here looks more than a few times at a character:
 * texts may be large.
 */
const ours = /(\$|__fp)f(\w{0,99})\[1]=\1f|(?:\$_|__fp)[elx](\w{0,99})\(/;

/** A depth at which a bracket of ours opened that a bracket closes, and those before. */
type Opened = [depth?: number, before?: Opened];

function sourceOf(text: string): string {
  const names = ours.exec(text);
  if (!names) return text;
  /** How many brackets of the source are open, ( and { alike, those in strings too. */
  let depth = 0;
  let opened: Opened = [];
  const source = text
    // Each name becomes \v and its letter: f flag, c capture, r value, e entry, l loop, x exit.
    .replace(RegExp("([^\\w$])(?:__fp|\\$(?=[cfr])|\\$_(?=[elx]))([cefrlx])" + (names[2] ?? names[3]) + "(?![\\w$])", "g"), "$1\v$2")
    // Each check k; an exit check of the compact form with a value remains x(.
    .replace(/\(\vf\[1]=\vf\[0]\)&&\vc\(.\)|\v.\(\)/g, "\vk")
    // In this order:
    //   {;k;  {;;k;return  {;var r=k;return   what opens a body for a loop or an arrow
    //   k;  var r=k;  var f=f,c=c;            heads
    //   r=(  r=(r,  x(  k,  (k,               what opens a value; a space before is ours if no word follows
    //   ),k,r                                 and what closes it
    //   void(k)  k  ;k}                       bare yields and returns, ends of bodies
    //   /*f+0*/;  /*f+2*/  (  )               ends of statements, marks, brackets
    .replace(
      /(\{);(?:\vk;|(?:var \vr|;)[=\vk0]*;return )|var(?: |\{\w+:)\v[^ ;]{0,99};|\vk;|( ?)(\()?(?:\vr=\((?:\vr,)?|(\vx\()|\vk,)(?=(\w?))|\),\vk,\vr| \vk| void\(\vk\)|;\vk(?=})|\/.\v.(.\d+).\/;?|([({])|([)}])/g,
      (_, body, space, paren, call, next, marks, open, close) => {
        depth += open ? 1 : +marks || 0;
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
