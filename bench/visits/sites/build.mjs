// Builds a site as its author would: node build.mjs SITE DIR.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { join } from 'node:path';
import { build } from 'vite';

const [site, out] = process.argv.slice(2);
await build({
  root: join(import.meta.dirname, site),
  configFile: false,
  logLevel: 'warn',
  plugins: site === 'svelte' ? [svelte({ configFile: false })] : [],
  build: { outDir: out, emptyOutDir: true, sourcemap: true, chunkSizeWarningLimit: 5000 },
  worker: { format: 'es' },
});
