// Starts Vite's dev server for the app in a folder, says where it is, and ends with its
// standard input. It is run as text in the folder that has the packages.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';

const root = process.argv[1];
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
