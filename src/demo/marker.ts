// Owns the mark of an estate: the comment on birth_registry that says it was built, how large, from which
// seed.
import type { Database } from '../db/index.js';
import { findMarkerComment } from './marker.sql.js';

/** Everything that looks random in the estate follows from this number. */
export const ESTATE_SEED = 20_260_601;

export interface EstateMarker {
  readonly rows: number;
  readonly seed: number;
}

const MARKER = /^gcos demo estate: rows=(\d+), seed=(\d+)$/;

export function markerText(rows: number): string {
  return `gcos demo estate: rows=${rows}, seed=${ESTATE_SEED}`;
}

export function parseMarker(comment: string | null): EstateMarker | undefined {
  const match = MARKER.exec(comment ?? '');
  return match ? { rows: Number(match[1]), seed: Number(match[2]) } : undefined;
}

/** The mark of the estate in this database's schema, if there is one. */
export async function findEstateMarker(db: Database): Promise<EstateMarker | undefined> {
  return await db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) => {
    const [found] = await tx.run(findMarkerComment, { schema: db.schema });
    return parseMarker(found?.comment ?? null);
  });
}

/** Whether the schema holds a demo estate: rows and tables there may be dropped and rebuilt. */
export async function isEstate(db: Database): Promise<boolean> {
  return (await findEstateMarker(db)) !== undefined;
}
