// Builds dist/: compiles src/ and turns every .sql file into a module next to the module that imports it.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'vite';
import { LIMIT_KB, screenSizes } from './console-size.mjs';
import { moduleOf } from './sql.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src');
const output = join(root, 'dist');

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

// Deletes output files whose source file no longer exists; otherwise they would stay importable.
function removeOrphans() {
  if (!existsSync(output)) return;
  for (const file of filesUnder(output)) {
    const stem = relative(output, file).match(/^(.*?)(\.sql)?(\.d\.ts|\.js\.map|\.js)$/);
    if (!stem) continue;
    const origin = join(source, stem[1] + (stem[2] ?? '.ts'));
    if (!existsSync(origin)) rmSync(file);
  }
}

removeOrphans();
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compiled = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

for (const file of filesUnder(source).filter((name) => name.endsWith('.sql'))) {
  const target = join(output, `${relative(source, file)}.js`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, moduleOf(file));
  const types = target.replace(/js$/, 'd.ts');
  if (existsSync(`${file}.d.ts`)) copyFileSync(`${file}.d.ts`, types);
  else writeFileSync(types, 'declare const text: string;\nexport default text;\n');
}

// The console is built on the published contract: its types come from the OpenAPI document.
const { default: openapi, astToString } = await import('openapi-typescript');
const contract = new URL('../docs/reference/openapi.json', import.meta.url);
writeFileSync(join(root, 'web/src/api/schema.d.ts'), astToString(await openapi(contract)));
await bundle({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
const sizes = screenSizes();
const sizeOf = ({ screen, kb }) => `${kb.toFixed(0)} kB (${screen})`;
const first = sizes.find(({ screen }) => screen === 'Overview');
console.log(
  `console: script, compressed: ${sizeOf(first)}, at most ${sizeOf(sizes[0])}; the limit is ${LIMIT_KB} kB`,
);

const bin = join(output, 'cli', 'main.js');
chmodSync(bin, 0o755);

// Bundles the command and the library into one file each, with shared chunks beside them: loading hundreds of
// small modules takes longer than most commands run. zod and commander are bundled; the PostgreSQL driver and
// the embedded server stay external.
await bundle({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: ['zod', 'commander'] },
  build: {
    ssr: true,
    outDir: output,
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    rollupOptions: {
      input: { gcos: bin, library: join(output, 'index.js') },
      output: { entryFileNames: '[name].js', chunkFileNames: 'gcos-[name].js' },
    },
  },
});
chmodSync(join(output, 'gcos.js'), 0o755);
