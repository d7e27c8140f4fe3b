// Generates the documentation page about findings from the catalogue in a database.
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

A finding is an open problem: one row of the host's \`system_issues\` per cause, with source \`gcos\` and a code that starts with \`GCOS-\`.
\`gcos finding list\` shows the open findings, highest severity first. \`gcos finding show CODE\` shows everything about one. Terms such as
*scope*, *anchor* and *orphan* are in the [glossary](glossary.md). [Operations](operations.md#every-alert) lists what to do about each.

## Life cycle of a finding

- **One cause, one row.** The key is \`gov:<family>:<type>:<subject>:<scope>:<root cause>\`. If the cause is observed again, only
  \`occurrence_count\` and \`last_seen_at\` of the row change, for any number of observations and concurrent workers.
- **Resolved.** An evaluation resolves the finding if it checked the subject under the active ruleset and did not observe the cause. An
  evaluation under other rules resolves nothing. The evidence records the rulesets under which the finding was raised, is valid, and was
  closed.
- **Reopened.** If the cause comes back, the same row reopens and \`reopen_count\` goes up. This also holds for a row that was closed by
  hand. GCOS keeps any other status that people set, such as an acknowledgement.
- **Severity** is computed between base and max. A missing owner, approval, rollback or tool authority is critical on an object that can
  write, and high otherwise. Another missing link is low, and one level above the base at high risk. Without a missing link, an object that
  can write with high risk gets the max, and everything else the base. What has a limit (a lag, a silence, dead letters, the age of the
  ledger) gets the max beyond three times the limit. An open finding that becomes graver takes the severity, its recipients and its evidence,
  and is announced again; it never becomes less grave while it is open. \`system_issues.severity\` holds the value that the host allows; GCOS's own value is in the evidence.
- **Announced once.** While its parent is open, a finding is not announced separately. A finding that comes back within the cool-down is
  not announced. If it is still open when the parent is closed or the cool-down has ended, GCOS announces it then. GCOS announces the end
  of a finding only if it announced the beginning.
- **Ceiling.** If one write would raise too many findings of one type for one recipient, those without a row become one summary with the
  exact number and a sample of keys. When a complete evaluation finds few enough, GCOS resolves the summary and writes their rows.
- **Recipient.** *owner*: the effective owner of the subject in the scope (its own ownership rows, otherwise the anchor of its collection,
  otherwise its class), otherwise the default owner of the scope, otherwise the council. A finding about a source of births has no scope: it
  goes to the body that owns the source in most scopes, otherwise to the council; one about an open decision goes to the body that reviews
  the collection (\`coverage_review_owner\`), if the host lists it as a governing body, otherwise to the council. *council*: the governance council, for disputes,
  regardless of the owner of the subject. *integrity*: the body that supervises GCOS's own processes (GOV-SIV by default).

\`violation_hash\` is a hash of key and evidence: a finding that comes back with the same evidence has the same one.
\`business_logic_hash\` is a hash of the finding type and the ruleset under which it holds. Verdicts refer to their open findings
([verdicts](verdicts.md#the-findings-of-a-verdict)).

Every raise, reopening and resolution is audited in \`registry_changelog\` (\`governance_finding\`), one row per batch.

Only the function \`gcos_write_findings\` can write findings. It inserts rows of this kind and changes only rows that it wrote.
\`governance_finding_key\` maps keys to rows. \`gcos uninstall --purge\` deletes the rows. Without it they stay as history, and a later
installation reuses them.

## Settings

Rows of \`governance_setting\`.
`;

const CATALOGUE = `
## Catalogue

Rows of \`governance_finding_type\`. A deployment may add its own rows, with any family. The code contains no list of types.`;

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
