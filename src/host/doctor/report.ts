// Owns the report of the doctor: lines with a state each, and the overall verdict.

/** ok · note: worth knowing · degraded: a capability is missing · problem: GCOS cannot be used like this. */
export type LineState = 'ok' | 'note' | 'degraded' | 'problem';
export type Section = 'server' | 'table' | 'mapping' | 'write' | 'privilege' | 'schema' | 'index';

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
  readonly lines: readonly DoctorLine[];
}

function count(lines: readonly DoctorLine[], state: LineState): number {
  return lines.filter((line) => line.state === state).length;
}

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

/** The verdict over all lines: one problem makes the host unusable. */
export function conclude(lines: readonly DoctorLine[]): DoctorReport {
  const problems = count(lines, 'problem');
  const degraded = count(lines, 'degraded');
  if (problems > 0) {
    const first = lines.find((line) => line.state === 'problem');
    return {
      usable: false,
      verdict: `not usable: ${plural(problems, 'problem')}, first: ${first?.subject}: ${first?.detail}`,
      lines,
    };
  }
  const verdict =
    degraded === 0
      ? 'usable: the host has everything GCOS needs'
      : `usable, with ${plural(degraded, 'degraded capability').replace('capabilitys', 'capabilities')}`;
  return { usable: true, verdict, lines };
}
