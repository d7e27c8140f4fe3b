// Owns the log of a worker: one JSON object per line. Connection strings and passwords are redacted in every
// field.
import { GcosError } from '../../kernel/index.js';

export type LogLevel = 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

/** Credentials in a URL, `password=…` in any spelling, and server messages about a password. */
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

/** The loggable part of an error: code and message. Causes and stacks can hold secrets and are left out. */
export function errorFields(error: unknown): LogFields {
  if (error instanceof GcosError) return { code: error.code, error: error.message };
  return { code: 'internal_error', error: error instanceof Error ? error.message : String(error) };
}

/** A log that passes its lines to `write`. */
export function makeLog(write: (line: string) => void): Log {
  return (level, event, fields = {}) => {
    const clean = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? strikeOut(value) : value,
    ]);
    write(JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(clean) }));
  };
}
