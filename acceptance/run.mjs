// Owns the command `npm run acceptance`: without --mutants it runs the tests on a server with JIT and then the
// acceptance tests (further arguments go to the test runner of these), with --mutants it runs each line under
// its mutant. `-- --mutants --only "38.10 #2"`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const folder = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);

let isInterrupted = false;
const interrupt = () => {
  isInterrupted = true;
};

function vitest(...given) {
  const { resolve } = createRequire(import.meta.url);
  const runner = join(dirname(resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [runner, 'run', ...given], {
    cwd: join(folder, '..'),
    stdio: 'inherit',
    // A server with JIT is part of what is accepted: without it the run fails instead of skipping.
    env: { ...process.env, GCOS_JIT_REQUIRED: '1' },
  });
  // A Ctrl-C reaches the tests as well; they end first.
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', () => {
    interrupt();
    child.kill('SIGTERM');
  });
  return new Promise((done) => {
    child.on('close', (code) => done(code ?? 1));
  });
}

async function runTests() {
  const withJit = await vitest('test/db/jit.test.ts');
  if (isInterrupted) return withJit;
  return (await vitest('--config', 'acceptance/vitest.config.ts', ...args)) || withJit;
}

if (args.includes('--mutants')) {
  const { module } = await runnerImport(join(folder, 'run-mutants.ts'), { configFile: false });
  process.exitCode = await module.runMutants(args.filter((each) => each !== '--mutants'));
} else process.exitCode = await runTests();
