// Owns what an explanation says in words. Whatever a code contains, a sentence is one printable line.

/** Characters that move the cursor, hide or reorder text, or end a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
const LONGEST = 120;

/** `text` in backticks, with what cannot be shown spelled out, and cut where it is endless. */
export function shown(text: string): string {
  const chars = [...text];
  const cut =
    chars.length > LONGEST ? `${chars.slice(0, LONGEST).join('')}… (${chars.length} characters)` : text;
  return `\`${cut.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)}\``;
}

export interface GroupName {
  readonly source_registry: string;
  readonly object_class: string;
  readonly axis_family: string | null;
  readonly lifecycle_status: string | null;
}

export function groupText(group: GroupName): string {
  const { source_registry, object_class, axis_family, lifecycle_status } = group;
  return shown(
    [source_registry, object_class, axis_family ?? 'no axis', lifecycle_status ?? 'no status'].join(' / '),
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

/** Why a verdict no longer holds. */
export function invalidText(row: Believed): string | null {
  if (row.valid) return null;
  switch (row.invalidReason) {
    case 'expired':
      return `it expired at ${row.staleAfter}`;
    case 'dirty':
      return `it was marked for a new look at ${row.dirtiedAt} (${row.dirtyReason})`;
    case 'ruleset_not_active':
      return `ruleset ${row.rulesetVersion} is not in force`;
    case 'snapshot_gone':
      return `snapshot ${row.sourceSnapshotRef} is gone`;
    default:
      return (row.invalidReason ?? 'nobody knows why').replaceAll('_', ' ');
  }
}

/** The verdict in one sentence: what, under which rules, of which state of the inventory, and whether it still holds. */
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
  owners: (value) => `a change of what ${shown(value)} answers for`,
};

/** What would make the verdict be looked at again. */
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
    `time: after ${staleAfter} it has to be looked at again`,
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  independent: 'its class does not inherit, or something shared refers to it: it is looked at by itself',
  open_finding: 'there is an open finding about it',
  exception: 'there is an exception for it',
  high_risk_write: 'it is of high risk and can write',
  input: 'something is wrong with its birth',
};

export const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

const VIA: Readonly<Record<string, string>> = {
  object: 'its own row of ownership',
  collection: 'the anchor of its collection',
  class: 'its class',
  ownership: 'the row of ownership that decides about it',
  registry: 'its registry',
  executor: 'the tool that executes it',
};

/** What became of one required link. */
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
      return `${link}: ${shown(found.ref ?? '')}, by ${VIA[found.via ?? ''] ?? found.via ?? 'somebody'}${tool}`;
    case 'excepted':
      return `${link}: missing, accepted by exception ${shown(found.exception ?? '')}${tool}`;
    case 'conflict':
      return `${link}: more than one answers for it`;
    case 'unknown':
      return `${link}: not known, the host has nothing to say it by`;
    default:
      return `${link}: missing${tool}`;
  }
}
