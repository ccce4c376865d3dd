// Builds one site: node build.mjs SITE DIR. What a site is built with is in its
// site.mjs.
const [site, out] = process.argv.slice(2);
const { default: build } = await import(`./${site}/site.mjs`);
await build(out);
