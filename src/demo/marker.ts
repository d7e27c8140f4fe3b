// Owns the marker of an estate: the comment on birth_registry with the size and the seed of the build.
import type { Database } from '../db/index.js';
import { findMarkerComment } from './marker.sql.js';

/** All pseudo-random values of the estate are derived from this number. */
export const ESTATE_SEED = 20_260_601;

export interface EstateMarker {
  readonly rows: number;
  readonly seed: number;
}

/** The comment on a schema that a build created. */
export const SCHEMA_MARK = 'gcos demo estate';

const MARKER = /^gcos demo estate: rows=(\d+), seed=(\d+)$/;

export function markerText(rows: number): string {
  return `gcos demo estate: rows=${rows}, seed=${ESTATE_SEED}`;
}

export function parseMarker(comment: string | null): EstateMarker | undefined {
  const match = MARKER.exec(comment ?? '');
  return match ? { rows: Number(match[1]), seed: Number(match[2]) } : undefined;
}

/** The marker of the estate in this database's schema, if there is one. */
export async function findEstateMarker(db: Database): Promise<EstateMarker | undefined> {
  return await db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) => {
    const [found] = await tx.run(findMarkerComment, { schema: db.schema });
    return parseMarker(found?.comment ?? null);
  });
}

/** Whether the schema holds a demo estate, whose rows and tables may be dropped and rebuilt. */
export async function isEstate(db: Database): Promise<boolean> {
  return (await findEstateMarker(db)) !== undefined;
}
