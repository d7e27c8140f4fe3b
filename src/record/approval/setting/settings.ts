// Owns listing, reading and setting settings. Type, default, meaning and who may change a setting come from
// its declaration; the database decides whether the acting person may, and audits the change.
import {
  type ChangedBy,
  type Database,
  parseSetting,
  type Setting,
  type Transaction,
} from '../../../db/index.js';
import type { Installation } from '../../../host/index.js';
import { hasCode, unknownName } from '../../../kernel/index.js';
import { actorProblem } from '../actor.js';
import { settingActErrors } from './errors.js';
import { listSettings, setSetting } from './setting.sql.js';
import { typeText } from './type-text.js';

export interface SettingLine {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  /** Whether the value is the default. */
  readonly isDefault: boolean;
  /** Its type in words. */
  readonly type: string;
  readonly about: string;
  readonly changedBy: ChangedBy;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

export interface ChangedSetting {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly changed: boolean;
  /** Whether it is in force only once an approved ruleset has it. */
  readonly needsApproval: boolean;
  readonly person: string;
}

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const ACT = { isolation: 'read committed', retries: 3 } as const;

/** The order of keys in JSON does not matter. */
const same = (left: unknown, right: unknown): boolean => sorted(left) === sorted(right);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1)))
      : each,
  );

/** Who may change a setting, for readers. */
export const CHANGED_BY: Readonly<Record<ChangedBy, string>> = {
  person: 'a person',
  approval: 'a person; in force once an approved ruleset has it',
  dba: 'a person with the login of a DBA',
  command: 'only its own command',
};

export class Settings {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #declared: readonly Setting[];

  /** @internal */
  constructor(db: Database, installation: Installation, declared: readonly Setting[]) {
    this.#db = db;
    this.#installation = installation;
    this.#declared = declared;
  }

  /** All settings, by key. */
  async list(): Promise<readonly SettingLine[]> {
    return this.#read(null);
  }

  async get(key: string): Promise<SettingLine> {
    this.#declaration(key);
    const [found] = await this.#read(key);
    if (found === undefined) throw this.#unknown(key);
    return found;
  }

  /** Sets `key`, as the acting person, to `value`: JSON, or the bare text of a setting that is a text. */
  async set(
    key: string,
    value: string,
    options: { readonly dryRun?: boolean } = {},
  ): Promise<ChangedSetting> {
    const after = newValue(this.#declaration(key), value);
    await this.#installation.requireInstalled();
    const work = (tx: Transaction) => this.#set(tx, key, after);
    return options.dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }

  async #set(tx: Transaction, key: string, after: unknown): Promise<ChangedSetting> {
    const row = await tx.one(setSetting, { key, value: JSON.stringify(after) });
    const problem = actorProblem(row.outcome, row.login, null, tx.trustSchema);
    if (problem !== undefined) throw problem;
    if (row.outcome === 'setting_unknown') throw this.#unknown(key);
    if (row.outcome === 'setting_of_command')
      throw settingActErrors.setting_of_command(`\`${key}\` is not set by hand`);
    if (row.outcome === 'setting_protected')
      throw settingActErrors.setting_protected(`the login \`${row.login}\` may not change \`${key}\``);
    return {
      key,
      before: JSON.parse(row.before ?? 'null') as unknown,
      after,
      changed: row.outcome !== 'unchanged',
      needsApproval: row.outcome === 'needs_approval',
      person: row.person_ref ?? '',
    };
  }

  async #read(key: string | null): Promise<readonly SettingLine[]> {
    await this.#installation.requireInstalled();
    const rows = await this.#db.transaction(READ, (tx) => tx.run(listSettings, { key }));
    const declared = new Map(this.#declared.map((each) => [each.key, each]));
    return rows.flatMap((row) => {
      const setting = declared.get(row.key);
      if (setting === undefined) return [];
      const value = JSON.parse(row.value) as unknown;
      return [
        {
          key: row.key,
          value,
          default: setting.default,
          isDefault: same(value, setting.default),
          type: typeText(setting.form),
          about: setting.about,
          changedBy: row.changed_by as ChangedBy,
          updatedAt: row.updated_at,
          updatedBy: row.updated_by,
        },
      ];
    });
  }

  #declaration(key: string): Setting {
    const found = this.#declared.find((each) => each.key === key);
    if (found === undefined) throw this.#unknown(key);
    return found;
  }

  #unknown(key: string) {
    return unknownName(key, {
      what: 'setting',
      known: this.#declared.map((each) => each.key),
      more: '`gcos setting list` shows all',
      error: settingActErrors.setting_unknown,
    });
  }
}

/** The value in the form of the setting, as it is to be stored. */
function newValue(setting: Setting, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A text may stand without its quotes; any other form refuses it below.
    value = text;
  }
  try {
    parseSetting(setting, value);
    return value;
  } catch (cause) {
    if (!hasCode(cause, 'setting_invalid')) throw cause;
    throw settingActErrors.setting_value_invalid(`\`${text}\`: ${cause.message}`, {
      cause,
      help: `expected: ${typeText(setting.form)}; the default is ${JSON.stringify(setting.default)}`,
    });
  }
}
