// Owns the parsing of durations and end times on the command line.
import { parseDuration } from '../kernel/index.js';
import { cliErrors } from './errors.js';

const DAY_MS = 86_400_000;

/** Milliseconds of `30d`, `2w`, or any other duration such as `12h`. */
export function parseSpan(text: string): number {
  const match = /^(\d{1,5})([dw])$/.exec(text.trim());
  const ms = match === null ? parseDuration(text) : Number(match[1]) * DAY_MS * (match[2] === 'w' ? 7 : 1);
  if (ms === undefined || ms === 0)
    throw cliErrors.usage_invalid(`\`${text}\` is not a span such as 30d, 2w or 12h`);
  return ms;
}

/** A date, or a time with its zone; a date alone means midnight UTC. The text is passed on unchanged. */
export function parseEnd(text: string): string {
  const isTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text);
  if (!isTime || Number.isNaN(Date.parse(text.replace(' ', 'T'))))
    throw cliErrors.usage_invalid(`\`${text}\` is not a time such as 2027-01-31 or 2027-01-31T12:00:00Z`);
  return text;
}
