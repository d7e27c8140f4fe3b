// Owns reading the settings stored in governance_setting. A value that does not match its schema is an error,
// never a silent default.
import type { z } from 'zod';
import { defineErrors } from '../kernel/index.js';
import { readSettingRow } from './setting.sql.js';
import type { Transaction } from './transaction.js';

export const settingErrors = defineErrors({
  setting_invalid: {
    exit: 3,
    when: 'a row of governance_setting holds a value of the wrong form',
    help: 'correct the row; its `about` column describes the expected value',
  },
});

/** The setting `key`, checked against `schema`; `fallback` if the row does not exist. */
export async function readSetting<T>(
  tx: Transaction,
  key: string,
  schema: z.ZodType<T>,
  fallback: T,
): Promise<T> {
  const [row] = await tx.run(readSettingRow, { key });
  if (row === undefined) return fallback;
  const parsed = schema.safeParse(JSON.parse(row.setting_value));
  if (!parsed.success) {
    throw settingErrors.setting_invalid(
      `setting \`${key}\`: ${parsed.error.issues[0]?.message ?? 'wrong form'}`,
    );
  }
  return parsed.data;
}
