// A page as people write it by hand: jQuery and plugins, inline scripts that
// share globals with files, event handlers, data blocks, and a policy that knows
// every script by hash, nonce or integrity. No bundler.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const hash = (algorithm, text) => `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`;

export default async function build(out) {
  const src = join(import.meta.dirname, 'src');
  cpSync(src, out, { recursive: true });
  mkdirSync(join(out, 'lib'), { recursive: true });
  cpSync(join(createRequire(import.meta.url).resolve('jquery'), '../jquery.min.js'), join(out, 'lib/jquery.min.js'));
  for (const page of ['index.html', 'strict.html']) {
    let html = readFileSync(join(out, page), 'utf8');
    html = html.replaceAll(/INTEGRITY\((.*?)\)/g, (_, file) => hash('sha384', readFileSync(join(out, file))));
    const inline = [...html.matchAll(/<script(?: type="(?:module|importmap)")?>(.*?)<\/script>/gs)].map(([, script]) => `'${hash('sha256', script.replaceAll('\r\n', '\n'))}'`);
    writeFileSync(join(out, page), html.replace('HASHES', inline.join(' ')));
  }
}
