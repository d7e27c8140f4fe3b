// Owns the schemas of this module's settings. This code reports an invalid setting. The functions that emit
// and promote use the valid parts and defaults for the rest, because no notification setting may stop a
// signal.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';

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

export const eventPromotion = defineSetting({
  key: 'event.promotion',
  form: promotionSetting,
  default: { max_errors: 5 },
  about: 'max_errors: how often the host may refuse a held signal before it is dead-lettered',
});
export const eventNotification = defineSetting({
  key: 'event.notification',
  form: notificationSetting.nullable(),
  default: {
    ceiling: 50,
    window: 'PT1H',
    council: 'GOV-COUNCIL',
    sla: { critical: 'PT1H', high: 'PT4H', medium: 'P1D', low: null },
  },
  about:
    'ceiling: notifications per recipient and window before the rest becomes one digest; sla: how long a notification may stay unread, by severity (null: no limit), before the council is notified; council: the recipient of those, and of signals routed to a body that the host does not list as active',
});

/** Throws `setting_invalid` if the functions in the database could not use the setting. */
export async function requirePromotionSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, eventPromotion);
}

/** Throws `setting_invalid` if the functions in the database could not use the setting. */
export async function requireNotificationSetting(tx: Transaction): Promise<void> {
  await readSetting(tx, eventNotification, null);
}
