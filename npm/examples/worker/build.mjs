import fieldprof from '@fieldprof/esbuild';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/app.ts', 'src/worker.ts'],
  bundle: true,
  format: 'esm',
  sourcemap: true,
  outdir: 'dist',
  plugins: [fieldprof({ variant: 'both' })],
});
