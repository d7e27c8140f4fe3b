// Owns the one exception of the demo: approved, granted in spring, and over since summer. It needs verdicts,
// so it comes after them. INVARIANT: only on a demo estate, and only where nobody has granted one yet.
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

/**
 * Asks for it, has it approved, and writes it down; returns its code, or undefined if there was nothing to
 * do.
 */
export async function provideException(gcos: Gcos): Promise<string | undefined> {
  if (!(await isEstate(gcos.db))) return undefined;
  if ((await gcos.exceptions.list({ limit: 1 })).length > 0) return undefined;
  const approvalRef = await gcos.exceptions.request(TERMS, { reason: REASON, as: 'member-1' });
  await gcos.requests.approve(approvalRef, { as: 'president' });
  return gcos.exceptions.grant(TERMS, { reason: REASON, approvalRef, as: 'member-1', at: GRANTED_AT });
}
