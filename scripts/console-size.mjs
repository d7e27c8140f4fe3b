// How much script the console loads, compressed: for the first screen, and for each screen that is opened at
// its own address. `npm run build` prints it, and a test holds it below its limit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const CONSOLE = fileURLToPath(new URL('../dist/console/', import.meta.url));
export const LIMIT_KB = 300;

/** Every file that a module of the manifest needs before it runs, itself included. */
function filesOf(manifest, name, found = new Set()) {
  const { file, imports = [] } = manifest[name];
  if (found.has(file)) return found;
  found.add(file);
  for (const each of imports) filesOf(manifest, each, found);
  return found;
}

/** The screens with the kilobytes of script (gzip) that they need, the largest first. */
export function screenSizes(folder = CONSOLE) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(folder, file))).length);
    return sizes.get(file);
  };
  const entry = Object.keys(manifest).find((name) => manifest[name].isEntry);
  const screens = Object.keys(manifest).filter((name) => manifest[name].isDynamicEntry);
  return screens
    .map((name) => {
      const files = new Set([...filesOf(manifest, entry), ...filesOf(manifest, name)]);
      const bytes = [...files]
        .filter((file) => file.endsWith('.js'))
        .reduce((sum, file) => sum + sizeOf(file), 0);
      return { screen: name.replace(/^src\/screens\//, '').replace(/\.vue$/, ''), kb: bytes / 1_000 };
    })
    .sort((left, right) => right.kb - left.kb);
}
