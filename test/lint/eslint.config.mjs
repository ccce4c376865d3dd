// The code that runs here is checked: the scripts of the tests and the programs of our
// own. Sources that are test data are as odd as they need to be.
import js from '@eslint/js';
import globals from 'globals';
import ts from 'typescript-eslint';

export default [
  { ignores: ['**/node_modules/', '**/testdata/golden/', '**/testdata/behaviour/*.js', '**/testdata/oracle/entry.ts', '**/testdata/fuzz/', '**/testdata/suite/', 'test/stacks/testdata/', 'bench/results/', 'runtime/additions/', 'runtime/dist/', 'runtime/goja/', 'runtime/runners/', 'runtime/counting/', 'profile/report/dist/', 'collect/ui/dist/', 'npm/*/dist/'] },
  js.configs.recommended,
  ...ts.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts'] })),
  { files: ['**/*.mjs', '**/*.js', '**/*.cjs', '**/*.ts'], languageOptions: { globals: { ...globals.node } } },
  { files: ['{collect,npm,profile,runtime/src}/**/*.ts'], rules: { quotes: ['error', 'double', { avoidEscape: true }] } }, // one way in all that ships
  {
    files: ['runtime/src/{stacks,recording}/*.ts', 'runtime/src/trace/early.ts'],
    rules: { 'no-restricted-syntax': ['error', { selector: 'Literal[regex]', message: 'This runs within functions of the page: a match would change its RegExp.$1.' }] },
  },
  { files: ['runtime/src/**/*.ts'], rules: { 'no-var': 'off' } }, // `declare global` knows no other word
  { files: ['test/browser/**/*.js'], languageOptions: { sourceType: 'script', globals: { ...globals.browser, ...globals.worker } } },
  { files: ['test/{browser,conformance,interactions,profiles,runtime,sdk,send,sites}/testdata/**/*.{js,mjs}'], rules: { 'no-undef': 'off', 'no-unused-vars': 'off' } }, // scripts of a page use each other's
  { files: ['test/browser/testdata/**/*.mjs'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  {
    files: ['runtime/testdata/mozilla/*.js'], // the harness comes before the others
    languageOptions: { sourceType: 'script' },
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off', 'no-redeclare': 'off' },
  },
  { files: ['test/conformance/testdata/site/*'], languageOptions: { globals: { ...globals.browser, ...globals.worker } }, rules: { 'no-undef': 'off', 'no-unused-vars': 'off', 'no-empty': 'off', 'no-redeclare': 'off' } },
  { files: ['test/conformance/testdata/site/*.js'], languageOptions: { sourceType: 'script' } },
  { files: ['bench/truth/js/*'], languageOptions: { sourceType: 'script', globals: { ...globals.browser, order: 'readonly', samplingProfilerStackTraces: 'readonly', startSamplingProfiler: 'readonly' } } },
  { files: ['bench/pages/js/*'], languageOptions: { globals: globals.browser } },
  { files: ['bench/interactions/js/*'], languageOptions: { sourceType: 'script', globals: { ...globals.browser, observe: 'readonly', Profiler: 'readonly', __fieldprof: 'readonly' } }, rules: { 'no-unused-vars': 'off' } }, // overhead.go calls it
  { files: ['bench/visits/js/*', 'bench/visits/testdata/page/*'], languageOptions: { sourceType: 'script', globals: { ...globals.browser, Profiler: 'readonly', visited: 'readonly' } } },
  { files: ['bench/visits/sites/**/*.ts'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  { files: ['bench/streaming/js/*'], languageOptions: { sourceType: 'script', globals: { ...globals.browser, fieldprof: 'readonly', Profiler: 'readonly', __fieldprof: 'readonly' } }, rules: { 'no-unused-vars': 'off' } }, // devtools.go calls it
  { files: ['profile/format/gecko/testdata/firefox/marks.js', 'test/deploy/testdata/**', 'test/interactions/site/**', 'test/sdk/testdata/*', 'test/sites/testdata/**'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  { files: ['npm/examples/**'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  { files: ['ext/k6/programs/scripts/**'], languageOptions: { globals: { __ENV: 'readonly', __ITER: 'readonly', __VU: 'readonly' } } },
  { files: ['fixtures/exact/*.js'], rules: { 'no-empty': 'off' } }, // loops that wait
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
];
