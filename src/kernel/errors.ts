// Owns the error type: a stable code, a one-line message, a separate help text and an exit code.
// Every module declares its own kinds with `defineErrors`; the reference page is generated from them.

/**
 * 1 failure · 2 the claim is false, or the gate blocks · 3 invalid input or configuration · 4 database not
 * usable.
 */
export type ExitCode = 1 | 2 | 3 | 4;

export interface ErrorKind {
  readonly exit: ExitCode;
  /** When the error occurs, for the reference page. */
  readonly when: string;
  /** How to resolve it. A raised error may carry a more specific text. */
  readonly help: string;
}

export interface ErrorDetail {
  /** A text of several lines is given line by line: a line break inside a line is no line break. */
  readonly help?: string | readonly string[];
  readonly cause?: unknown;
  /** Machine-readable facts for `--json`: names and counts, never secrets. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export class GcosError extends Error {
  readonly code: string;
  readonly exit: ExitCode;
  readonly help: string;
  /** @internal `help`, line by line. */
  readonly helpLines: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: string, kind: ErrorKind, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? {} : { cause: detail.cause });
    this.name = 'GcosError';
    this.code = code;
    this.exit = kind.exit;
    this.helpLines = [detail.help ?? kind.help].flat();
    this.help = this.helpLines.join('\n');
    this.facts = detail.facts ?? {};
  }
}

export type ErrorKinds = Readonly<Record<string, ErrorKind>>;

export type ErrorFamily<K extends string> = {
  readonly [Code in K]: (message: string, detail?: ErrorDetail) => GcosError;
} & { readonly kinds: Readonly<Record<K, ErrorKind>> };

/**
 * Declares the errors of a module: `errors.lock_timeout('…')` creates one, `errors.kinds` documents them all.
 */
export function defineErrors<const K extends string>(kinds: Record<K, ErrorKind>): ErrorFamily<K> {
  const makers = Object.entries<ErrorKind>(kinds).map(([code, kind]) => [
    code,
    (message: string, detail?: ErrorDetail) => new GcosError(code, kind, message, detail),
  ]);
  return { ...Object.fromEntries(makers), kinds } as ErrorFamily<K>;
}

/** Whether `error` is a GCOS error with this code. */
export function hasCode(error: unknown, code: string): error is GcosError {
  return error instanceof GcosError && error.code === code;
}
