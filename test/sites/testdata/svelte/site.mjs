// Svelte by Vite, for any folder, with hidden maps, and Workbox's service
// worker, which keeps all of it for when there is no network.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';
import { generateSW } from 'workbox-build';
import { join } from 'node:path';

export default async function site(out) {
  await build({
    root: import.meta.dirname,
    configFile: false,
    base: './',
    logLevel: 'warn',
    plugins: [svelte({ configFile: false })],
    build: { outDir: out, emptyOutDir: true, sourcemap: 'hidden' },
    worker: { format: 'es' },
  });
  const { warnings } = await generateSW({ globDirectory: out, globPatterns: ['**/*.{js,css,html}'], swDest: join(out, 'sw.js'), clientsClaim: true, skipWaiting: true, mode: 'production', sourcemap: true });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
}
