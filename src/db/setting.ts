// Owns reading settings that are data. A value that does not fit its schema is an error, never a silent default.
import type { z } from 'zod';
import { defineErrors } from '../kernel/index.js';
import readSettingSql from './read-setting.sql.js';
import { statement } from './statement.js';
import type { Transaction } from './transaction.js';

export const settingErrors = defineErrors({
  setting_invalid: {
    exit: 3,
    when: 'a row of governance_setting holds a value of the wrong form',
    help: 'correct the row; its `about` column says what is expected',
  },
});

export const readSettingRow = statement({
  name: 'db.read_setting',
  sql: readSettingSql,
  params: { key: 'text' },
  columns: { setting_value: 'jsonb' },
});

/** The setting `key`, checked against `schema`; `fallback` when the row is not there. */
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
