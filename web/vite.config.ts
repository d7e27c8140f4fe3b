// Builds the console into dist/console, which `gcos serve` delivers. In development, `npx vite web` serves it
// and passes requests on to a running server.
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const server = process.env['GCOS_CONSOLE_SERVER'] ?? 'http://127.0.0.1:7373';

export default defineConfig({
  root,
  plugins: [vue(), tailwind()],
  define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    // Which files a screen needs: scripts/console-size.mjs adds them up.
    manifest: true,
    target: 'es2022',
    // No inline module: the content security policy forbids inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
  },
  server: { proxy: { '/api': server, '/access': server } },
});
