import fieldprof from '@fieldprof/esbuild';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/evaluate.ts', 'src/print.ts'],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  sourcemap: true,
  outdir: 'dist',
  plugins: [fieldprof({ variant: 'both', preset: 'fine' })],
});
