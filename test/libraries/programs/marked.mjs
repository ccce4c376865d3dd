// Renders each example of the CommonMark specification.
import spec from 'commonmark-spec';
import { Marked, lexer } from 'marked';
import { digest } from './digest.mjs';

const examples = spec.tests;
const plain = new Marked({ gfm: false, pedantic: false });
let right = 0;
const rendered = examples.map((e) => plain.parse(e.markdown));
examples.forEach((e, i) => { if (squeeze(rendered[i]) === squeeze(e.html)) right++; });
console.log(`${right} of ${examples.length} as the specification says`, digest(rendered));
console.log('gfm', digest(examples.map((e) => new Marked({ gfm: true, breaks: true }).parse(e.markdown))));
console.log('tokens', digest(examples.map((e) => lexer(e.markdown))));

function squeeze(html) { return html.replace(/\s+/g, ''); }
