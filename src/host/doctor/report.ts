// Owns the report of the doctor: lines with a state each, and the overall verdict.

/**
 * ok · note: worth knowing · warning: safe only if you trust what it names · degraded: a capability is
 * missing · problem: GCOS cannot be used like this.
 */
export type LineState = 'ok' | 'note' | 'warning' | 'degraded' | 'problem';
export type Section = 'server' | 'table' | 'mapping' | 'write' | 'privilege' | 'trust' | 'schema' | 'index';

export interface DoctorLine {
  readonly section: Section;
  readonly subject: string;
  readonly state: LineState;
  readonly detail: string;
  /** For a table: its number of rows according to the server's statistics. */
  readonly rows?: bigint;
}

export interface DoctorReport {
  readonly usable: boolean;
  /** One sentence. */
  readonly verdict: string;
  /** What to do next, where it is not in a line; null: nothing. */
  readonly next: string | null;
  readonly lines: readonly DoctorLine[];
}

function count(lines: readonly DoctorLine[], state: LineState): number {
  return lines.filter((line) => line.state === state).length;
}

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

/**
 * The verdict over all lines: one problem makes the host unusable. `next`: what to do about all of them at
 * once.
 */
export function conclude(lines: readonly DoctorLine[], next: string | null = null): DoctorReport {
  const problems = count(lines, 'problem');
  const degraded = count(lines, 'degraded');
  if (problems > 0) {
    const first = lines.find((line) => line.state === 'problem');
    return {
      usable: false,
      verdict: `not usable: ${plural(problems, 'problem')}, first: ${first?.subject}: ${first?.detail}`,
      next,
      lines,
    };
  }
  const warnings = count(lines, 'warning');
  const remarks = [
    ...(degraded === 0
      ? []
      : [plural(degraded, 'degraded capability').replace('capabilitys', 'capabilities')]),
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
  ];
  const verdict =
    remarks.length === 0
      ? 'usable: the host has everything GCOS needs'
      : `usable, with ${remarks.join(' and ')}`;
  return { usable: true, verdict, next: null, lines };
}
