// Builds with each bundler by its own API.
import { rspack } from '@rspack/core';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';

const rollupLike = (bundler) => async (configuration) => {
  const bundle = await bundler(configuration);
  try {
    for (const output of [configuration.output].flat()) await bundle.write(output);
  } finally {
    await bundle.close();
  }
};

const webpackLike = (bundler) => async (configuration) => {
  const compiler = bundler(configuration);
  try {
    const stats = await promisify(compiler.run.bind(compiler))();
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
    for (const { message } of stats.toJson({ all: false, warnings: true }).warnings) console.warn(message);
  } finally {
    await promisify(compiler.close.bind(compiler))();
  }
};

export const builders = {
  vite: (configuration) => vite({ logLevel: 'warn', configFile: false, ...configuration }),
  rollup: rollupLike(rollup),
  rolldown: rollupLike(rolldown),
  webpack: webpackLike(webpack),
  rspack: webpackLike(rspack),
};
