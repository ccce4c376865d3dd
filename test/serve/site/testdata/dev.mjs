// Starts Vite's dev server for the app in a folder, says where it is, and ends with its
// standard input. Vite and React are those of the folder that is named second.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [root, packages] = process.argv.slice(2);
const from = createRequire(join(packages, 'package.json'));
const load = async (name) => import(pathToFileURL(join(packages, 'node_modules', name, from(join(packages, 'node_modules', name, 'package.json')).exports['.'].import ?? from(join(packages, 'node_modules', name, 'package.json')).exports['.'])));
const { createServer } = await load('vite');
const { default: react } = await load('@vitejs/plugin-react');

const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  cacheDir: join(root, '.vite'),
  plugins: [react()],
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'] },
  server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
});
await server.listen();
console.log(`http://127.0.0.1:${server.httpServer.address().port}`);
process.stdin.on('end', () => process.exit()).resume();
