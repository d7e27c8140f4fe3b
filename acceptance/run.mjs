// Owns the command `npm run acceptance`: without --mutants it runs the acceptance tests (further arguments go
// to the test runner), with --mutants it runs each line under its mutant. `-- --mutants --only "38.10 #2"`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const folder = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);

function runTests() {
  const { resolve } = createRequire(import.meta.url);
  const runner = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [runner, 'run', '--config', 'acceptance/vitest.config.ts', ...args], {
    cwd: join(folder, '..'),
    stdio: 'inherit',
  });
  // A Ctrl-C reaches the tests as well; they end first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((done) => {
    child.on('close', (code) => done(code ?? 1));
  });
}

if (args.includes('--mutants')) {
  const { module } = await runnerImport(join(folder, 'run-mutants.ts'), { configFile: false });
  process.exitCode = await module.runMutants(args.filter((each) => each !== '--mutants'));
} else process.exitCode = await runTests();
