// Owns the wording of an explanation. INVARIANT: a sentence is one printable line, whatever characters a code
// contains.

/** Characters that move the cursor, hide or reorder text, or end a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
const LONGEST = 120;

/** `text` in backticks, with unprintable characters escaped, truncated if it is too long. */
export function shown(text: string): string {
  const chars = [...text];
  const cut =
    chars.length > LONGEST ? `${chars.slice(0, LONGEST).join('')}… (${chars.length} characters)` : text;
  return `\`${cut.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)}\``;
}

export interface GroupName {
  readonly sourceRegistry: string;
  readonly objectClass: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
}

export function groupText(group: GroupName): string {
  const { sourceRegistry, objectClass, axisFamily, lifecycleStatus } = group;
  return shown(
    [sourceRegistry, objectClass, axisFamily ?? 'no axis', lifecycleStatus ?? 'no status'].join(' / '),
  );
}

interface Believed {
  readonly scope: string;
  readonly candidateVerdict: string;
  readonly rulesetVersion: string;
  readonly sourceSnapshotRef: bigint;
  readonly snapshotAt: string | null;
  readonly staleAfter: string;
  readonly valid: boolean;
  readonly invalidReason: string | null;
  readonly dirtyReason: string | null;
  readonly dirtiedAt: string | null;
  readonly coverageOutcome: string | null;
}

/** Why a verdict is no longer valid. */
export function invalidText(row: Believed): string | null {
  if (row.valid) return null;
  switch (row.invalidReason) {
    case 'expired':
      return `it expired at ${row.staleAfter}`;
    case 'dirty':
      return `it was marked for re-evaluation at ${row.dirtiedAt} (${row.dirtyReason})`;
    case 'ruleset_not_active':
      return `ruleset ${row.rulesetVersion} is not in force`;
    case 'snapshot_gone':
      return `snapshot ${row.sourceSnapshotRef} is gone`;
    default:
      return (row.invalidReason ?? 'unknown reason').replaceAll('_', ' ');
  }
}

/** The verdict in one sentence: verdict, ruleset, snapshot, and whether it is still valid. */
export function sentenceOf(subject: string, row: Believed): string {
  const captured = row.snapshotAt === null ? 'gone' : `captured ${row.snapshotAt}`;
  const outcome = row.coverageOutcome === null ? '' : ` (${row.coverageOutcome.replaceAll('_', ' ')})`;
  const why = invalidText(row);
  const until =
    why === null ? `valid until ${row.staleAfter}` : `no longer valid and therefore unknown: ${why}`;
  return `${subject} in scope ${row.scope} was ${row.candidateVerdict}${outcome} under ruleset ${row.rulesetVersion}, snapshot ${row.sourceSnapshotRef} (${captured}), ${until}`;
}

const DEPENDENCIES: Readonly<Record<string, (value: string) => string>> = {
  collections: (value) => `a change in collection ${shown(value)}, of its births or of the decision about it`,
  rule_scopes: (value) => `a changed rule that reaches scope ${shown(value)}`,
  axis_families: (value) => `a change of axis family ${shown(value)}`,
  classes: (value) => `a change of class ${shown(value)} or of its profile`,
  owners: (value) => `a change of what ${shown(value)} owns`,
};

/** What would cause a re-evaluation of the verdict. */
export function dirtyText(
  dependsOn: Readonly<Record<string, readonly string[]>>,
  staleAfter: string,
): readonly string[] {
  return [
    ...Object.entries(dependsOn).flatMap(([kind, values]) =>
      values.map(
        DEPENDENCIES[kind] ?? ((value) => `a change of ${kind.replaceAll('_', ' ')} ${shown(value)}`),
      ),
    ),
    'another ruleset in force, if it changes a rule that reaches it',
    `time: after ${staleAfter} it must be re-evaluated`,
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  independent: 'its class does not inherit, or a shared object refers to it: it is evaluated by itself',
  open_finding: 'there is an open finding about it',
  exception: 'there is an exception for it',
  high_risk_write: 'it can change much, and the gate was asked about it',
  input: 'its birth has a problem',
};

export const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

const VIA: Readonly<Record<string, string>> = {
  object: 'its own ownership row',
  collection: 'the anchor of its collection',
  class: 'its class',
  ownership: 'the ownership row that applies to it',
  registry: 'its registry',
  executor: 'the tool that executes it',
};

/** The state of one required link. */
export function linkText(
  link: string,
  found: {
    readonly state: string;
    readonly ref?: string;
    readonly via?: string;
    readonly exception?: string;
    readonly tool?: string;
  },
): string {
  const tool = found.tool === undefined ? '' : ` (executed by ${shown(found.tool)})`;
  switch (found.state) {
    case 'resolved':
      return `${link}: ${shown(found.ref ?? '')}, by ${VIA[found.via ?? ''] ?? found.via ?? 'an unknown source'}${tool}`;
    case 'excepted':
      return `${link}: missing, accepted by exception ${shown(found.exception ?? '')}${tool}`;
    case 'conflict':
      return `${link}: it has more than one owner`;
    case 'unknown':
      return `${link}: not known, the host has no data about it`;
    default:
      return `${link}: missing${tool}`;
  }
}
