// Owns the persons of the demo: a proposer, and enough approvers to complete every quorum with one login.
// INVARIANT: only on a demo estate, and only if no login is mapped to a person yet.
import type { Database } from '../db/index.js';
import { acceptUnverified, insertDemoActors } from './actors.sql.js';
import { isEstate } from './marker.js';

/**
 * Maps the connected login and adds the persons of the demo. Returns their names; an empty list if nothing
 * was done.
 */
export async function provideActors(db: Database): Promise<readonly string[]> {
  if (!(await isEstate(db))) return [];
  return db.transaction({ isolation: 'read committed' }, async (tx) => {
    const people = await tx.run(insertDemoActors, {});
    if (people.length > 0) await tx.run(acceptUnverified, {});
    return people.map((row) => row.person_ref);
  });
}
