// Owns the form of this room's settings. A wrong one is said aloud here; the functions that emit and promote use what they
// can of it and the defaults for the rest, as no setting about notifications may stop a signal.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';

/** Days, hours, minutes and seconds: months have no fixed length. */
const span = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d{1,6}W)?(\d{1,6}D)?(T(?=\d)(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?$/,
    'is not a duration such as PT1H or P7D',
  );

const promotionSetting = z.object({ max_errors: z.int().positive() });
const notificationSetting = z.object({
  ceiling: z.int().nonnegative(),
  window: span.refine((text) => /[1-9]/.test(text), 'must be longer than nothing'),
  council: z.string().min(1).max(100),
  sla: z.object({
    critical: span.nullable(),
    high: span.nullable(),
    medium: span.nullable(),
    low: span.nullable(),
  }),
});

/** How often the host may refuse a signal. */
export async function readPromotionLimits(tx: Transaction): Promise<{ readonly maxErrors: number }> {
  const setting = await readSetting(tx, 'event.promotion', promotionSetting, { max_errors: 5 });
  return { maxErrors: setting.max_errors };
}

/** Throws `setting_invalid` where the functions in the database could not use what is set. */
export async function requireNotificationSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, 'event.notification', notificationSetting.nullable(), null);
}
