// Owns the caveat of the demo's ledger: the host counts information units by three axes only. INVARIANT: only
// on a demo estate, and only if no caveat is set yet.
import type { Database } from '../db/index.js';
import { insertDemoCaveat } from './caveats.sql.js';
import { isEstate } from './marker.js';

const CAVEATS = [
  {
    object_class: 'information_unit',
    caveat:
      'the host keeps three axes of an information unit: closed at the grain of those, not of all its axes',
  },
];

export async function provideCaveats(db: Database): Promise<void> {
  if (!(await isEstate(db))) return;
  await db.transaction({ isolation: 'read committed' }, (tx) =>
    tx.run(insertDemoCaveat, { caveats: JSON.stringify(CAVEATS) }),
  );
}
