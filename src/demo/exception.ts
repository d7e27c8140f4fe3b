// Owns the only exception of the demo: approved, granted in spring, and expired since summer. It needs
// verdicts, so it is created after them. INVARIANT: only on a demo estate, and only if there is no exception
// yet.
import type { Gcos } from '../index.js';
import { isEstate } from './marker.js';

const TERMS = {
  subject: { kind: 'collection', collection: 'tickets' },
  scope: 'execution',
  link: 'owner',
  expiresAt: '2026-06-30T00:00:00Z',
} as const;
const REASON = 'until the delegation is renewed';
const GRANTED_AT = '2026-05-01T00:00:00Z';

/** Requests, approves and grants the exception. Returns its code, or undefined if nothing was done. */
export async function provideException(gcos: Gcos): Promise<string | undefined> {
  if (!(await isEstate(gcos.db))) return undefined;
  if ((await gcos.exceptions.list({ limit: 1 })).length > 0) return undefined;
  const approvalRef = await gcos.exceptions.openRequest(TERMS, { reason: REASON, as: 'member-1' });
  await gcos.requests.approve(approvalRef, { as: 'president' });
  return gcos.exceptions.grant(TERMS, { reason: REASON, approvalRef, as: 'member-1', at: GRANTED_AT });
}
