import fieldprof from '@fieldprof/unplugin/rolldown';

export default {
  input: 'src/main.ts',
  platform: 'node',
  output: { dir: 'dist', format: 'esm', minify: true, sourcemap: true, chunkFileNames: '[name]-[hash].js' },
  plugins: [fieldprof({ variant: 'both' })],
};
