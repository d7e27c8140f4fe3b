// Owns the schemas of this module's settings. This code reports an invalid setting. The functions that emit
// and promote use the valid parts and defaults for the rest, because no notification setting may stop a
// signal.
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
  window: span.refine((text) => /[1-9]/.test(text), 'must be longer than zero'),
  council: z.string().min(1).max(100),
  sla: z.object({
    critical: span.nullable(),
    high: span.nullable(),
    medium: span.nullable(),
    low: span.nullable(),
  }),
});

/** Throws `setting_invalid` if the functions in the database could not use the setting. */
export async function requirePromotionSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, 'event.promotion', promotionSetting.nullable(), null);
}

/** Throws `setting_invalid` if the functions in the database could not use the setting. */
export async function requireNotificationSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, 'event.notification', notificationSetting.nullable(), null);
}
