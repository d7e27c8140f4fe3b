// Owns storing the host's words in governance_host_word, where functions of the database read them
// (gcos_host_word). Only init and upgrade write them.
import { quoteLiteral, readSetting, type Transaction } from '../db/index.js';
import { mapHost, mappingSetting } from './mapping.js';
import { readHasSettings } from './word.sql.js';

/** SQL that replaces the stored words by those that the host allows now. */
export async function wordSeeds(tx: Transaction, schema: string): Promise<readonly string[]> {
  const { has_settings: hasSettings } = await tx.one(readHasSettings, { schema });
  const overrides = hasSettings ? await readSetting(tx, mappingSetting) : {};
  const { words } = await mapHost(tx, schema, overrides);
  const rows = words.map(
    ({ kind, from, to }) =>
      `(${quoteLiteral(kind)}, ${quoteLiteral(from)}, ${to === undefined ? 'null' : quoteLiteral(to)})`,
  );
  return [
    [
      'set local role {{trust_owner}};',
      'delete from {{trust}}.governance_host_word;',
      `insert into {{trust}}.governance_host_word (kind, word, host_word) values\n  ${rows.join(',\n  ')};`,
      'set local role {{owner}};',
    ].join('\n'),
  ];
}
