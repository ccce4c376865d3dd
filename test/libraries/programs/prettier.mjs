// Formats sources in several languages.
import fs from 'node:fs';
import * as prettier from 'prettier';
import { digest } from './digest.mjs';

const here = (name) => fs.readFileSync(new URL(name, import.meta.url), 'utf8');
const texts = {
  babel: here('./marked.mjs') + here('./lodash.mjs'),
  typescript: 'enum A{a=1,b}\nabstract class B<T extends object=any>{constructor(private readonly x?:T){super()}}\ntype C<T>=T extends (infer U)[]?U:never;declare module "x"{export default function f(this:Window,...a:number[]):asserts a is string}',
  css: 'a{color:red;background:url(x.png)no-repeat}@media(min-width:1px){.b>.c:not(.d)::after{content:"\\201C";margin:0 auto!important}}',
  markdown: '# Title\n* a\n* b\n    1. c\n\n|a|b|\n|-|:-:|\n|1|`2`|\n\n```js\nlet a={b:1}\n```\n',
  html: '<!doctype html><div class="a  b"><p>Text <b>bold</b><script>let a=1</script><style>a{b:c}</style></div>',
  json: '{"a":[1,2,{"b":null}],"c":"d"}',
  yaml: 'a:   [1,2]\nb: {c: d}\n# comment\ne:\n    - f\n',
  graphql: 'query A($b:Int=1){c(d:$b){...on E{f @include(if:true)}}}',
};
for (const [parser, text] of Object.entries(texts)) {
  for (const printWidth of [40, 100]) {
    console.log(parser, printWidth, digest(await prettier.format(text, { parser, printWidth })));
  }
}
await prettier.format('let a = ;', { parser: 'babel' }).catch((e) => console.log(e.name, e.message));
