// Owns reports as annotations of a GitHub workflow: one line per open problem.
import { isOpen, type Level, type Report } from './report.js';

const COMMANDS: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
  pass: 'notice',
};

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export function annotationsOf({ results }: Report): readonly string[] {
  return results
    .filter(isOpen)
    .map(
      ({ level, rule, message, fix }) =>
        `::${COMMANDS[level]} title=${escapeProperty(`gcos: ${rule}`)}::${escapeData(fix === null ? message : `${message}\nFix: ${fix}`)}`,
    );
}
