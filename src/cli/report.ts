// Owns `--format`: a result for a pipeline, in the formats that code hosts and test reports read.
import type { Option } from 'commander';
import { annotationsOf, junitOf, type Report, sarifOf } from '../answer/report/index.js';
import { version } from '../index.js';
import type { CommonFlags, Context } from './command.js';
import { cliErrors } from './errors.js';
import { choice } from './parse.js';

const FORMATS = ['text', 'json', 'sarif', 'junit', 'github'] as const;
type Format = (typeof FORMATS)[number];

export interface FormatFlags extends CommonFlags {
  readonly format?: Format;
}

export const formatOption = (): Option =>
  choice(
    '--format <format>',
    'how to print it: text, json (as --json), or for pipelines sarif, junit, github',
    FORMATS,
  );

/** `--format json` is `--json`. */
export const withFormat = <T extends FormatFlags>(flags: T): T =>
  flags.format === 'json' ? { ...flags, json: true } : flags;

/** Whether the format is one for pipelines, which is made of a report. */
export function isReport({ format, json }: FormatFlags): boolean {
  if (format === undefined || format === 'text' || format === 'json') return false;
  if (json) throw cliErrors.usage_invalid('--json and --format name two formats');
  return true;
}

/** Prints the results in the format of `flags`. */
export function printReport(
  { out }: Context,
  { format }: FormatFlags,
  report: Pick<Report, 'title' | 'results'>,
): void {
  const whole = { ...report, version };
  if (format === 'github') out.result(whole, () => annotationsOf(whole));
  else out.document(whole, format === 'junit' ? junitOf(whole) : sarifOf(whole));
}
