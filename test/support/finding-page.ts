// The page about findings, written from the catalogue in a database.
export interface CatalogueRow {
  readonly finding_type: string;
  readonly family: string;
  readonly bucket: string;
  readonly base_severity: string;
  readonly max_severity: string;
  readonly event_type: string;
  readonly route: string;
  readonly raised_when: string;
  readonly closed_when: string;
  readonly cool_down: string | null;
  readonly ceiling: number | null;
}

export interface SettingRow {
  readonly setting_key: string;
  readonly setting_value: string;
  readonly about: string;
}

const ROUTES: Readonly<Record<string, string>> = {
  owner: 'owner',
  council: 'council',
  siv: 'integrity',
  siv_and_council: 'integrity and council',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
}

function section(family: string, rows: readonly CatalogueRow[]): string[] {
  return [
    '',
    `### ${family}`,
    '',
    ...table(
      ['finding', 'raised when', 'closes when', 'severity', 'for', 'signal', 'bucket'],
      rows.map((row) => [
        `\`${row.finding_type}\``,
        row.raised_when,
        row.closed_when,
        row.base_severity === row.max_severity
          ? row.base_severity
          : `${row.base_severity} → ${row.max_severity}`,
        ROUTES[row.route] ?? row.route,
        `\`governance.${row.event_type}\``,
        row.bucket,
      ]),
    ),
    ...rows
      .filter((row) => row.cool_down !== null || row.ceiling !== null)
      .flatMap((row) => [
        '',
        `\`${row.finding_type}\` has its own ${[
          ...(row.cool_down === null ? [] : [`cool-down (${row.cool_down})`]),
          ...(row.ceiling === null ? [] : [`ceiling (${row.ceiling})`]),
        ].join(' and ')}.`,
      ]),
  ];
}

const PROSE = `# Findings

<!-- Written from the catalogue by test/record/finding-catalogue.test.ts; run it with --update after a change. Do not edit. -->

A finding is an open problem: one row of the host's \`system_issues\` per cause, with source \`gcos\` and a code that starts
with \`GCOS-\`. \`gcos finding list\` shows the open ones, gravest first; \`gcos finding show CODE\` everything about one.

## How a finding lives

- **One cause, one row.** The key is \`gov:<family>:<type>:<subject>:<scope>:<root cause>\`. Seen again, the row's
  \`occurrence_count\` and \`last_seen_at\` move and nothing else, however often and by however many workers at once.
- **Resolved** by an evaluation that looked at its subject, under the active ruleset, and did not see it. An evaluation under
  other rules resolves nothing. The evidence keeps under which rules it was raised, holds, and was closed.
- **Back again**, the same row reopens and \`reopen_count\` goes up. That also holds for a row that somebody closed by hand. Any
  other status that people give it, such as an acknowledgement, stays as it is.
- **Severity** is computed between base and max. A missing owner, approval, rollback or tool authority is critical on something
  that can write, and high otherwise; another missing link is low. Without a missing link, what can write with high risk gets the
  max, everything else the base. The word in \`system_issues.severity\` is the one the host allows; GCOS's own is in the evidence.
- **Told once.** While its parent is open, a finding is not announced by itself. One that comes back within the cool-down is
  quiet. If it is still there when the parent is closed or the cool-down is over, it is told then. The end of a finding is
  told if its beginning was.
- **Ceiling.** Where one write would raise too many findings of one type for one recipient, those that have no row yet become one
  summary: the exact number, and a sample of keys. When a complete evaluation finds few enough, the summary is resolved and
  they get their rows.
- **For whom.** *owner*: the effective owner of the subject in the scope (its own rows, else the anchor of its collection, else its
  class), else the default owner of the scope, else the council. *council*: disputes, whoever owns the subject. *integrity*:
  those who watch over GCOS's own processes.

Every raise, reopening and resolution is audited in \`registry_changelog\` (\`governance_finding\`), one row per batch.

The only way to write findings is the function \`gcos_write_findings\`; it can insert rows of this kind and change rows it wrote, and
no others. \`governance_finding_key\` maps keys to rows. \`gcos uninstall --purge\` deletes the rows; without it they stay as history,
and a later installation takes them up again.

## Settings

Rows of \`governance_setting\`.
`;

const CATALOGUE = `
## Catalogue

Rows of \`governance_finding_type\`; a deployment may add its own, with any family. Code lists no type.`;

export function findingsPage(rows: readonly CatalogueRow[], settings: readonly SettingRow[]): string {
  const families = [...new Set(rows.map((row) => row.family))];
  return [
    PROSE,
    ...table(
      ['setting', 'shipped as', 'meaning'],
      settings.map((row) => [`\`${row.setting_key}\``, `\`${row.setting_value}\``, row.about]),
    ),
    CATALOGUE,
    ...families.flatMap((family) =>
      section(
        family,
        rows.filter((row) => row.family === family),
      ),
    ),
    '',
  ].join('\n');
}
