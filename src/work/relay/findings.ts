// Owns the findings about webhooks: one that fails for too long, and one whose receiver is gone.
import type { Transaction } from '../../db/index.js';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { readFailing } from './webhook.sql.js';

const TYPES = ['webhook_failing', 'webhook_disabled'];

/** Raises or resolves one finding per webhook. */
export async function syncWebhookFindings(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const rows = await tx.run(readFailing, {});
  const observations = rows.map(
    (row): Observation => ({
      type: row.disabled_at === null ? 'webhook_failing' : 'webhook_disabled',
      subject: `webhook ${row.webhook_id}`,
      entityType: 'webhook',
      entityCode: String(row.webhook_id),
      evidence: {
        error: row.last_error,
        failures: row.failures,
        failing_since: row.failing_since,
        disabled_at: row.disabled_at,
      },
    }),
  );
  return writeFindings(tx, observations, { ...context, evaluated: { types: TYPES, subjects: 'all' } });
}
