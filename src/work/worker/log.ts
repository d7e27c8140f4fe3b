// Owns the log of a worker: one JSON object per line. Nothing that opens a database is ever written: whatever looks like a
// connection string or a password is struck out, wherever it comes from.
import { GcosError } from '../../kernel/index.js';

type LogLevel = 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/** The credentials of a URL, `password=…` in any spelling, and what the server itself says about a password. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1***@'],
  [
    /\b((?:pg)?(?:password|passwd|pwd|secret|token))(["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s&,;]+)/gi,
    '$1$2***',
  ],
];

export function strikeOut(text: string): string {
  return SECRETS.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text);
}

/** What may be told of an error: its code and its line. Causes and stacks may hold more than that, and are left out. */
export function errorFields(error: unknown): LogFields {
  if (error instanceof GcosError) return { code: error.code, error: error.message };
  return { code: 'internal_error', error: error instanceof Error ? error.message : String(error) };
}

/** A log that hands its lines to `write`. */
export function makeLog(write: (line: string) => void): Log {
  return (level, event, fields = {}) => {
    const clean = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? strikeOut(value) : value,
    ]);
    write(JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(clean) }));
  };
}
