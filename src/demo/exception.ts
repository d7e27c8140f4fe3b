// Owns the only exception of the demo: approved, granted for a moment, and expired since. It needs verdicts,
// so it is created after them. INVARIANT: only on a demo estate, and only if there is no exception yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerTime } from '../db/index.js';
import type { ExceptionTerms, Gcos } from '../index.js';
import { isEstate } from './marker.js';

/** Long enough to request, approve and grant it; the database grants nothing in the past. */
const LASTS_MS = 5_000;
const REASON = 'until the delegation is renewed';

/**
 * Requests, approves and grants the exception, and waits until it has expired. Returns its code, or undefined
 * if nothing was done.
 */
export async function provideException(gcos: Gcos): Promise<string | undefined> {
  if (!(await isEstate(gcos.db))) return undefined;
  if ((await gcos.exceptions.list({ limit: 1 })).length > 0) return undefined;
  const now = await gcos.db.transaction({ isolation: 'read committed', readOnly: true }, readServerTime);
  const terms: ExceptionTerms = {
    subject: { kind: 'collection', collection: 'tickets' },
    scope: 'execution',
    link: 'owner',
    expiresAt: new Date(Date.parse(now) + LASTS_MS).toISOString(),
  };
  const approvalRef = await gcos.exceptions.openRequest(terms, { reason: REASON, as: 'member-1' });
  await gcos.requests.approve(approvalRef, { as: 'president' });
  const code = await gcos.exceptions.grant(terms, { reason: REASON, approvalRef, as: 'member-1' });
  while ((await gcos.exceptions.show(code)).status !== 'expired') await sleep(100);
  return code;
}
