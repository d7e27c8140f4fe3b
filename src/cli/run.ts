// Runs one command line: parses the arguments, and turns every usage error into one line and exit code 3.
import { type Command, CommanderError } from 'commander';
import { z } from 'zod';
import { reportError } from './command.js';
import { cliErrors } from './errors.js';
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

/** Runs `args`, those of the shell after the name of the program, and sets the exit code of the process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  // Even with invalid flags, a caller that requested JSON gets JSON.
  const flags = { json: args.includes('--json') };
  const program = buildProgram();
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
    command.showSuggestionAfterError(true);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) process.exitCode = reportError(error, flags);
    else if (error.code === 'commander.help')
      process.exitCode = 3; // A bare `gcos` or `gcos db` shows its help, but it is a usage error.
    else if (error.exitCode !== 0)
      process.exitCode = reportError(cliErrors.usage_invalid(usageMessage(error)), flags);
  }
}
