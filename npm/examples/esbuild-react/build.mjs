import fieldprof from '@fieldprof/esbuild';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/app.tsx'],
  bundle: true,
  minify: true,
  sourcemap: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  outdir: 'dist',
  plugins: [fieldprof({ variant: 'both' })],
});
