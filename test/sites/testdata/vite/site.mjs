// React and TypeScript by Vite: chunks by dynamic import, CSS, preloads, module
// workers in both formats that Vite writes, and the chunks of its legacy plugin.
// It is made for the sub-path /app/.
import legacy from '@vitejs/plugin-legacy';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

export default (out) =>
  build({
    root: import.meta.dirname,
    configFile: false,
    base: '/app/',
    logLevel: 'warn',
    plugins: [react(), legacy({ targets: ['chrome >= 70'], modernPolyfills: false, renderModernChunks: true })],
    build: { outDir: out, emptyOutDir: true, sourcemap: true },
  });
