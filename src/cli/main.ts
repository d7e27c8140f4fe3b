#!/usr/bin/env node
// Entry point of the `gcos` command.
import { setFlagsFromString } from 'node:v8';
import { printWarning } from './output.js';
import { runProgram } from './run.js';

/**
 * A closed pipe (`gcos schema dump | head -1`) ends the output, not the clean-up; a full disk is an error.
 */
function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = 1;
      if (stream === process.stdout) printWarning(`cannot write the output: ${error.message}`);
    });
  }
}

// No limit: garbage is collected when the heap has doubled, instead of at four times what is alive.
setFlagsFromString('--heap-growing-percent=100');
surviveClosedOutput();
await runProgram(process.argv.slice(2));
