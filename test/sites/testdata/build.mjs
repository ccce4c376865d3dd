// Builds one site: node build.mjs SITE DIR. The configuration of a site is in its
// site.mjs.
const [site, out] = process.argv.slice(2);
const { default: build } = await import(`./${site}/site.mjs`);
await build(out);
