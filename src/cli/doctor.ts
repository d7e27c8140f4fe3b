// `gcos doctor`: checks whether GCOS can work with this host, and reports the problems.
import type { Command } from 'commander';
import type { DoctorLine, DoctorReport } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, type Output, type Tone } from './output.js';

const MARKS: Readonly<Record<DoctorLine['state'], readonly [string, Tone]>> = {
  ok: ['ok', 'good'],
  note: ['note', 'dim'],
  warning: ['WARNING', 'warn'],
  degraded: ['LIMITED', 'warn'],
  problem: ['PROBLEM', 'bad'],
};

const TITLES: Readonly<Record<DoctorLine['section'], string>> = {
  server: 'server',
  table: 'host tables',
  mapping: 'vocabulary the host does not allow',
  write: 'trial writes (rolled back)',
  privilege: 'privileges',
  trust: 'what trust rests on',
  schema: "GCOS's own schema",
  index: 'indexes that would help (GCOS never creates them)',
};

function doctorLines(report: DoctorReport, out: Output): string[] {
  const lines: string[] = [];
  for (const [section, title] of Object.entries(TITLES)) {
    const mine = report.lines.filter((line) => line.section === section);
    if (mine.length === 0) continue;
    lines.push('', out.tone('bold', title));
    const aligned = alignColumns(
      mine.map((line) => [`  ${MARKS[line.state][0].padEnd(7)}`, line.subject, line.detail]),
    );
    mine.forEach((line, index) => {
      const text = aligned[index] ?? '';
      const mark = MARKS[line.state];
      lines.push(text.replace(mark[0], out.tone(mark[1], mark[0])));
    });
  }
  return [
    ...lines.slice(1),
    '',
    out.tone(report.usable ? 'good' : 'bad', report.verdict),
    ...(report.next === null ? [] : [`next: ${report.next}`]),
  ];
}

export function doctorCommand(): Command {
  return makeCommand('doctor', 'check whether GCOS can work with this host; exit 0 usable, 4 not').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const report = await withGcos(context, (gcos) => gcos.doctor());
        context.out.result(report, () => doctorLines(report, context.out));
        return report.usable ? undefined : 4;
      }),
  );
}
