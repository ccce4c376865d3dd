// Each function spends its time inside one builtin. Their times by the clock
// are the truth to compare with.
const took = {};

const text = JSON.stringify(Array.from({ length: 20000 }, (_, i) => ({ id: i, name: 'item ' + i, tags: [i, i + 1] })));
const numbers = Array.from({ length: 30000 }, (_, i) => (i * 7919) % 30011);
const words = 'abc '.repeat(60000) + 'x';
const markup = '<p><b>a</b> <i>b</i></p>'.repeat(3000);

function parsing() { return JSON.parse(text).length; }
function sorting() { return [...numbers].sort((a, b) => a - b).length; }
function matching() { return words.replace(/[a-c]+ (?=[abc]+ )/g, '-').length; }
function rendering() { const div = document.querySelector('div'); div.innerHTML = markup; return div.childElementCount; }

function measure(name, f) {
  const began = performance.now();
  f();
  took[name] = (took[name] || 0) + performance.now() - began;
}

/** Works for some milliseconds in one task, and gives what each took. */
function work(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    measure('parsing', parsing);
    measure('sorting', sorting);
    measure('matching', matching);
    measure('rendering', rendering);
  }
  return took;
}
