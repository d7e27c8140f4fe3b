// Owns what the doctor says: lines with a state each, and the verdict that follows from them.

/** ok · note: worth knowing · degraded: a capability is missing · problem: GCOS cannot be used like this. */
type LineState = 'ok' | 'note' | 'degraded' | 'problem';
type Section = 'server' | 'table' | 'mapping' | 'write' | 'privilege' | 'schema' | 'index';

export interface DoctorLine {
  readonly section: Section;
  readonly subject: string;
  readonly state: LineState;
  readonly detail: string;
  /** Of a table: how many rows it has, by the server's statistics. */
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

/** The verdict over all lines: one problem is enough to say no. */
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
      ? 'usable: everything GCOS relies on is there'
      : `usable, with ${plural(degraded, 'degraded capability').replace('capabilitys', 'capabilities')}`;
  return { usable: true, verdict, lines };
}
