import fieldprof from '@fieldprof/unplugin/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { sourcemap: true },
  plugins: [vue(), fieldprof({ variant: 'both' })],
});
