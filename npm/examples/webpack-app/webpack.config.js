import fieldprof from '@fieldprof/unplugin/webpack';
import HtmlPlugin from 'html-webpack-plugin';
import { join } from 'node:path';

export default {
  mode: 'production',
  context: import.meta.dirname,
  entry: './src/index.js',
  devtool: 'source-map',
  output: { path: join(import.meta.dirname, 'dist'), filename: '[name].[contenthash:8].js' },
  plugins: [new HtmlPlugin({ title: 'webpack' }), fieldprof({ variant: 'both' })],
};
