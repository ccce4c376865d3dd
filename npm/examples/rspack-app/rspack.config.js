import fieldprof from '@fieldprof/unplugin/rspack';
import { HtmlRspackPlugin } from '@rspack/core';
import { join } from 'node:path';

export default {
  mode: 'production',
  context: import.meta.dirname,
  entry: './src/index.js',
  devtool: 'source-map',
  output: { path: join(import.meta.dirname, 'dist'), filename: '[name].[contenthash:8].js' },
  plugins: [new HtmlRspackPlugin({ title: 'Rspack' }), fieldprof({ variant: 'both' })],
};
