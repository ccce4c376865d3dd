import fieldprof from '@fieldprof/esbuild';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/server.ts'],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  sourcemap: true,
  outdir: 'dist',
  plugins: [fieldprof({ variant: 'both' })],
});
