// Owns the gaps of an estate: what each unit lacks, and the statement that gives it. INVARIANT: a statement
// executes as it is printed; where only a person knows the value, there is none.
import type { RowOf, Transaction } from '../../db/index.js';
import { noteStatement } from '../../source/directus/index.js';
import { commentStatement, withCommentLink } from '../../source/postgres/index.js';
import { readUnitGaps } from './home.sql.js';

export interface EstateGap {
  readonly class: string;
  readonly code: string;
  /** Links that are missing in some scope. */
  readonly missing: readonly string[];
  /** Links about which places disagree. */
  readonly conflicting: readonly string[];
  readonly scopes: readonly string[];
  /** What to do, for all units that lack the same. */
  readonly what: string;
  /** The statement that does it; null: only a person can say what is to be there. */
  readonly statement: string | null;
}

/** A link that a unit lacks in one scope. */
export interface EstateLack {
  readonly class: string;
  readonly collection: string;
  readonly code: string;
  readonly scope: string;
  readonly link: string;
  /** Whether an exception accepts it. */
  readonly accepted: boolean;
}

export interface EstateGaps {
  readonly gaps: readonly EstateGap[];
  readonly lacks: readonly EstateLack[];
}

type Row = RowOf<typeof readUnitGaps>;
type Unit = Omit<Row, 'scope' | 'missing' | 'accepted' | 'collection' | 'conflicting'> &
  Pick<EstateGap, 'missing' | 'conflicting' | 'scopes'>;

const keyOf = (objectClass: string | null, code: string | null): string =>
  JSON.stringify([objectClass, code]);
const namesIn = (text: string): readonly string[] => JSON.parse(text) as readonly string[];
const united = (left: readonly string[], right: readonly string[]): readonly string[] =>
  [...new Set([...left, ...right])].sort();

/** One unit per object, with what it lacks in any scope. */
function unitsOf(rows: readonly Row[]): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>();
  for (const { scope, missing, conflicting, accepted: _, collection: __, ...row } of rows) {
    if (namesIn(missing).length + namesIn(conflicting).length === 0) continue;
    const key = keyOf(row.object_class, row.code);
    const known = units.get(key);
    units.set(key, {
      ...row,
      missing: united(known?.missing ?? [], namesIn(missing)),
      conflicting: united(known?.conflicting ?? [], namesIn(conflicting)),
      scopes: united(known?.scopes ?? [], [scope]),
    });
  }
  return units;
}

const ACTS: Readonly<Record<string, string>> = {
  owner: 'name an owner',
  classification: 'classify personal data',
  retention: 'say how long it is kept',
  approval: 'give the approval: a line `@approval URL` in its comment',
};

/** Where the approval of a class is said, if not in its comment. */
const APPROVED: Readonly<Record<string, string>> = {
  directus_code_flow: 'its description',
  directus_public_permission: 'the note of its collection, or of its policy',
};

function actOf({ object_class: objectClass, missing, conflicting }: Unit): string {
  if (conflicting.length > 0) return `choose one ${conflicting.join(', ')}: the places that name it disagree`;
  const place = APPROVED[objectClass];
  return missing
    .map((link) =>
      link === 'approval' && place !== undefined
        ? `give the approval: a line \`@approval URL\` in ${place}`
        : (ACTS[link] ?? `give the link ${link}`),
    )
    .join('; ');
}

/** Classes whose objects have the owner of what they are a part of. */
const INHERITS = ['personal_column', 'directus_personal_field', 'directus_public_permission'];
/** Classes without a text of their own that could name a link. */
const WITHOUT_TEXT = ['directus_public_permission'];

/** The values that a team can take as they are: `owner`, and that personal data is personal. */
function statementOf(unit: Unit, owner: string, units: ReadonlyMap<string, Unit>): string | null {
  const parent = units.get(keyOf(unit.parent_class, unit.parent_code));
  // The comment of its relation names the owner of a column.
  const inherits = INHERITS.includes(unit.object_class) && parent?.missing.includes('owner') === true;
  const values = unit.missing.flatMap((link): readonly (readonly [string, string])[] => {
    if (link === 'owner') return inherits ? [] : [['owner', owner]];
    return link === 'classification' ? [['classification', 'personal']] : [];
  });
  const last = values.at(-1);
  if (unit.conflicting.length > 0) return null;
  if (last === undefined) return inherits && parent !== undefined ? statementOf(parent, owner, units) : null;
  if (WITHOUT_TEXT.includes(unit.object_class)) return null;
  const comment = values
    .slice(0, -1)
    .reduce<string | null>((text, [link, value]) => withCommentLink(text, link, value), unit.comment);
  if (unit.note_at !== null) return noteStatement(JSON.parse(unit.note_at), comment, ...last);
  return commentStatement(
    { class: unit.object_class, code: unit.code, attributes: { kind: unit.kind, comment } },
    ...last,
  );
}

/** What the units of a source lack; `owner` is the owner that the statements name. */
export async function readGaps(tx: Transaction, sourceId: bigint, owner: string): Promise<EstateGaps> {
  const rows = await tx.run(readUnitGaps, { sourceId });
  const units = unitsOf(rows);
  const gaps = [...units.values()].map((unit) => ({
    class: unit.object_class,
    code: unit.code,
    missing: unit.missing,
    conflicting: unit.conflicting,
    scopes: unit.scopes,
    what: actOf(unit),
    statement: statementOf(unit, owner, units),
  }));
  return { gaps, lacks: rows.flatMap(lacksOf) };
}

/** A conflict is no lack: no exception accepts it. */
function lacksOf(row: Row): readonly EstateLack[] {
  const of = { class: row.object_class, collection: row.collection, code: row.code, scope: row.scope };
  const conflicting = namesIn(row.conflicting);
  return [
    ...namesIn(row.missing)
      .filter((link) => !conflicting.includes(link))
      .map((link) => ({ ...of, link, accepted: false })),
    ...namesIn(row.accepted).map((link) => ({ ...of, link, accepted: true })),
  ];
}
