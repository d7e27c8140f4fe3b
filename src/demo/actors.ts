// Owns the people of the demo: somebody to propose, and enough others to fill every quorum with one login.
// INVARIANT: only on a demo estate, and only where nobody has been mapped yet.
import type { Database } from '../db/index.js';
import { acceptUnverified, insertDemoActors } from './actors.sql.js';
import { isEstate } from './marker.js';

/**
 * Maps the connected login and adds the demo's people; returns their names, none if there was nothing to do.
 */
export async function provideActors(db: Database): Promise<readonly string[]> {
  if (!(await isEstate(db))) return [];
  return db.transaction({ isolation: 'read committed' }, async (tx) => {
    const people = await tx.run(insertDemoActors, {});
    if (people.length > 0) await tx.run(acceptUnverified, {});
    return people.map((row) => row.person_ref);
  });
}
