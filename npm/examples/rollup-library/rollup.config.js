import fieldprof from '@fieldprof/unplugin/rollup';

export default {
  input: ['src/index.js', 'src/stem.js'],
  output: { dir: 'dist', format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', sourcemap: true },
  plugins: [fieldprof({ variant: 'both' })],
};
