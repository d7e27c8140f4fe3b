// Owns the error of a host that GCOS cannot work with.
import { defineErrors } from '../../kernel/index.js';
import type { DoctorReport } from './report.js';

export const doctorErrors = defineErrors({
  host_unusable: {
    exit: 4,
    when: '`gcos init` or `gcos up` is to install GCOS beside a host that it cannot work with',
    help: '`gcos doctor` shows every problem with its consequence; `gcos init --force` installs in spite of them',
  },
});

/**
 * Throws if the doctor found a problem; the error lists all of them. `withoutHost`: the tables of a host are
 * about to be created.
 */
export function requireUsable(
  { lines, next }: DoctorReport,
  { withoutHost = false }: { readonly withoutHost?: boolean } = {},
): void {
  const problems = lines.filter(
    (line) => line.state === 'problem' && !(withoutHost && line.section === 'table'),
  );
  if (problems.length === 0) return;
  const { help } = doctorErrors.kinds.host_unusable;
  throw doctorErrors.host_unusable(
    `the doctor found ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}, so nothing was installed`,
    {
      help: [
        ...problems.map(({ subject, detail }) => `${subject}: ${detail}`),
        ...(next === null ? [] : [next]),
        help,
      ],
      facts: { problems: problems.map(({ section, subject, detail }) => ({ section, subject, detail })) },
    },
  );
}
