// webpack 5: a runtime chunk, split chunks and lazy ones, classic workers (of
// which one shares a chunk with the page, and one holds CommonJS), integrity
// hashes in the runtime, and compressed siblings. Each devtool makes a folder.
import CompressionPlugin from 'compression-webpack-plugin';
import HtmlPlugin from 'html-webpack-plugin';
import { join } from 'node:path';
import { promisify } from 'node:util';
import webpack from 'webpack';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';

const compress = (algorithm, ext) => new CompressionPlugin({ algorithm, filename: `[path][base].${ext}`, test: /\.(js|css|html|map)$/, threshold: 0, minRatio: Infinity });

function configuration(out, devtool) {
  const evaluates = devtool.startsWith('eval'); // for development only: no hash can be known
  return {
    mode: evaluates ? 'development' : 'production',
    context: import.meta.dirname,
    entry: { app: './src/app.js', second: './src/second.js' },
    devtool,
    output: { path: join(out, devtool), filename: '[name].[contenthash:8].js', crossOriginLoading: 'anonymous' },
    optimization: { runtimeChunk: 'single', splitChunks: { chunks: 'all', minSize: 0 }, realContentHash: true },
    plugins: [new HtmlPlugin({ title: 'webpack' }), ...(evaluates ? [] : [new SubresourceIntegrityPlugin(), compress('gzip', 'gz'), compress('brotliCompress', 'br')])],
  };
}

export default async function build(out) {
  const devtools = ['source-map', 'hidden-source-map', 'inline-source-map', 'eval-source-map', 'eval'];
  const stats = await promisify(webpack)(devtools.map((devtool) => configuration(out, devtool)));
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
}
