// Owns settings: each is declared once, beside the code that owns it, with its form, its default, its meaning
// and who may change it. The rows of a new installation, `gcos setting` and docs/reference/settings.md come
// from the declarations. A stored value that does not match its form is an error, never a silent default.
import type { z } from 'zod';
import { defineErrors, type GcosError } from '../kernel/index.js';
import { quoteLiteral } from './quote.js';
import { readSettingRow } from './setting.sql.js';
import type { Transaction } from './transaction.js';

export const settingErrors = defineErrors({
  setting_invalid: {
    exit: 3,
    when: 'a row of governance_setting holds a value of the wrong form',
    help: 'correct the row; `gcos setting get KEY` shows the expected form',
  },
});

/**
 * person: a person whom the database login is mapped to · approval: the same, and the change is in force only
 * once an approved ruleset has it · dba: a person whose login may also update the table, because the setting
 * limits what others can do · command: only the command that its meaning names.
 */
export type ChangedBy = 'person' | 'approval' | 'dba' | 'command';

export interface Setting<T = unknown> {
  readonly key: string;
  readonly form: z.ZodType<T>;
  /** As JSON. */
  readonly default: unknown;
  /** What it means, in one sentence. */
  readonly about: string;
  readonly changedBy: ChangedBy;
}

/**
 * The settings with these prefixes are part of the ruleset: they decide a verdict, a quorum or an answer of
 * the gate. An operator can add others, not remove these.
 */
export const RULE_PREFIXES = ['verdict.', 'lifecycle.', 'gate.', 'input.', 'approval.', 'exception.'];

/** Declares a setting; those of the ruleset need an approval, and others a person. */
export function defineSetting<T>(
  declaration: Omit<Setting<T>, 'changedBy'> & { readonly changedBy?: 'dba' | 'command' },
): Setting<T> {
  const isRule = RULE_PREFIXES.some((prefix) => declaration.key.startsWith(prefix));
  return { changedBy: isRule ? 'approval' : 'person', ...declaration };
}

/** The SQL that inserts the rows of a new installation. */
export function settingRowsSql(settings: readonly Setting[]): string {
  const rows = settings.map(
    ({ key, default: value, about, changedBy }) =>
      `  (${[key, JSON.stringify(value), about, changedBy].map(quoteLiteral).join(', ')})`,
  );
  return `insert into {{trust}}.governance_setting (setting_key, setting_value, about, changed_by) values\n${rows.join(',\n')};`;
}

const invalid = (key: string, error: z.ZodError): GcosError => {
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return settingErrors.setting_invalid(`setting \`${key}\`: ${place}${issue?.message ?? 'wrong form'}`);
};

/** `value`, as JSON, in the form of the setting; throws `setting_invalid`. */
export function parseSetting<T>({ key, form }: Pick<Setting<T>, 'key' | 'form'>, value: unknown): T {
  const parsed = form.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(key, parsed.error);
}

/** The stored value; `missing`, by default the declared default, if there is no row. */
export async function readSetting<T>(tx: Transaction, setting: Setting<T>, missing?: T): Promise<T> {
  const [row] = await tx.run(readSettingRow, { key: setting.key });
  if (row !== undefined) return parseSetting(setting, JSON.parse(row.setting_value));
  return missing === undefined ? parseSetting(setting, setting.default) : missing;
}
