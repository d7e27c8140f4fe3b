#!/usr/bin/env node
// Entry point of the `gcos` command: parses the arguments, and turns every usage error into one line and exit
// code 3.
import { type Command, CommanderError } from 'commander';
import { z } from 'zod';
import { reportError } from './command.js';
import { cliErrors } from './errors.js';
import { printWarning } from './output.js';
import { buildProgram } from './program.js';

// A command validates each form once or twice: compiling the validator takes longer than validating.
z.config({ jitless: true });

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => everyCommand(child as Command))];
}

/** Commander's message in the style of GCOS errors: lower case, input in backticks, no prefix. */
function usageMessage(error: CommanderError): string {
  return error.message
    .replace(/^error: /, '')
    .replaceAll("'", '`')
    .replaceAll('\n', ' ');
}

/** Even with invalid flags, a caller that requested JSON gets JSON. */
const wantsJson = process.argv.includes('--json');

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

async function main(): Promise<void> {
  surviveClosedOutput();
  const program = buildProgram();
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
    command.showSuggestionAfterError(true);
  }
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      process.exitCode = reportError(error, { json: wantsJson });
      return;
    }
    if (error.exitCode === 0) return;
    // A bare `gcos` or `gcos db` shows its help, but it is a usage error.
    if (error.code === 'commander.help') process.exitCode = 3;
    else
      process.exitCode = reportError(cliErrors.usage_invalid(usageMessage(error)), {
        json: process.argv.includes('--json'),
      });
  }
}

await main();
