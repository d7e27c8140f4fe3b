// Owns the form of this room's settings. They are checked before work that would take a wrong one for the host's refusal.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';

/** Days, hours, minutes and seconds: months have no fixed length. */
const span = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/,
    'is not a duration such as PT1H or P7D',
  );

const promotionSetting = z.object({ max_errors: z.int().positive() });
const notificationSetting = z.object({
  ceiling: z.int().nonnegative(),
  window: span.refine((text) => /[1-9]/.test(text), 'must be longer than nothing'),
  council: z.string().min(1),
  sla: z.object({
    critical: span.nullable(),
    high: span.nullable(),
    medium: span.nullable(),
    low: span.nullable(),
  }),
});

/** How often the host may refuse a signal. Also refuses notification settings the database could not use. */
export async function readPromotionLimits(tx: Transaction): Promise<{ readonly maxErrors: number }> {
  await requireNotificationSetting(tx);
  const setting = await readSetting(tx, 'event.promotion', promotionSetting, { max_errors: 5 });
  return { maxErrors: setting.max_errors };
}

/** Throws `setting_invalid` where the functions in the database could not use what is set. */
export async function requireNotificationSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, 'event.notification', notificationSetting.nullable(), null);
}
