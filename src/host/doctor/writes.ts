// Owns the write checks of the doctor: tries one write of each kind, rolls it back, and shows the vocabulary
// mapping that the host requires.
import { type Database, isConnectionLoss, type Transaction } from '../../db/index.js';
import type { DiscoveredTable } from '../discovery.js';
import { type HostMapping, type MappingOverrides, mapHost } from '../mapping.js';
import type { TrialWrite } from '../trial/trial.js';
import { birthsAfter, latestBirth } from '../trial/trial.sql.js';
import { readStoredWords } from '../word.sql.js';
import type { DoctorLine } from './report.js';
import { readTriggers } from './writes.sql.js';

/** The words that functions of the database write, which init and upgrade stored. */
export type StoredWords = ReadonlyMap<string, string | null>;

export async function readWords(tx: Transaction): Promise<StoredWords> {
  const rows = await tx.run(readStoredWords, {});
  return new Map(rows.map((row) => [`${row.kind} ${row.word}`, row.host_word]));
}

/** Words that the host no longer allows, or allows now: the functions of the database do not know. */
function describeOutdated(mapping: HostMapping, stored: StoredWords): DoctorLine[] {
  return mapping.words.flatMap(({ kind, from, to }): DoctorLine[] => {
    const known = stored.get(`${kind} ${from}`);
    return known === undefined || known === (to ?? null)
      ? []
      : [
          {
            section: 'mapping',
            subject: `${kind.replace('_', ' ')} ${from}`,
            state: 'problem',
            detail: `GCOS writes \`${known ?? ''}\`, but the host's constraint has changed: run \`gcos upgrade\``,
          },
        ];
  });
}

function describeMapping(mapping: HostMapping): DoctorLine[] {
  return mapping.words
    .filter((word) => word.how !== 'as it is')
    .map(({ kind, from, to, how }) => ({
      section: 'mapping',
      subject: `${kind.replace('_', ' ')} ${from}`,
      state: to === undefined ? 'problem' : 'note',
      detail:
        to === undefined
          ? 'the host allows no word GCOS knows; choose one in the setting `host.mapping`'
          : `written as \`${to}\`, which the host allows (${how === 'setting' ? 'your setting' : 'default'})`,
    }));
}

async function birthsCausedBy(
  tx: Transaction,
  write: () => Promise<void>,
  countable: boolean,
): Promise<bigint> {
  if (!countable) {
    await write();
    return 0n;
  }
  const before = await tx.one(latestBirth, {});
  await write();
  // Fire deferred triggers now: the transaction never commits.
  await tx.script('set constraints all immediate');
  return (await tx.one(birthsAfter, { id: before.id })).births;
}

/** What a host can do about an error of its own code inside a function of GCOS. */
function adviceFor(message: string): string {
  if (/^permission denied for (table|sequence|schema)/.test(message))
    return "; a trigger of the host runs with the few privileges of GCOS's functions: make the trigger function SECURITY DEFINER";
  if (/^(relation|function) .* does not exist$/.test(message))
    return '; a function of the host does not find this name without its schema: add `set search_path` to the function';
  return '';
}

async function tryOne(
  tx: Transaction,
  trial: TrialWrite,
  mapping: HostMapping,
  countable: boolean,
  triggers: readonly string[],
): Promise<DoctorLine> {
  const line = { section: 'write', subject: `${trial.what} (${trial.table})` } as const;
  try {
    const births = await tx.savepoint(() => birthsCausedBy(tx, () => trial.write(tx, mapping), countable));
    const by = triggers.length === 0 ? '' : `; fires the trigger ${triggers.join(', ')}`;
    if (births > 0n) {
      return {
        ...line,
        state: 'note',
        detail: `accepted${by}; the host registers a birth for it (${births} more in birth_registry), which GCOS counts but does not react to`,
      };
    }
    return { ...line, state: triggers.length === 0 ? 'ok' : 'note', detail: `accepted${by}` };
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    const { message } = error as Error;
    if (/^permission denied for function/.test(message)) {
      return {
        ...line,
        state: 'note',
        detail: 'not tried: this role may not call the write functions of GCOS',
      };
    }
    const advice = trial.through === 'function' ? adviceFor(message) : '';
    return { ...line, state: 'problem', detail: `refused by the host: ${message}${advice}` };
  }
}

/**
 * Makes every trial write that the connected role and the tables' shapes allow, and rolls all of them back.
 */
export async function checkWrites(
  db: Database,
  tables: readonly DiscoveredTable[],
  trials: readonly TrialWrite[],
  overrides: MappingOverrides,
  stored: StoredWords,
): Promise<DoctorLine[]> {
  const byName = new Map(tables.map((table) => [table.contract.name, table]));
  const whole = (name: string) => byName.get(name)?.shape.state === 'present';
  const possible = trials.filter(
    (trial) => whole(trial.table) && (trial.table !== 'event_read' || whole('event_outbox')),
  );
  const allowed = possible.filter(
    (trial) => trial.through === 'function' || byName.get(trial.table)?.facts?.mayInsert,
  );
  const refused = possible.filter((trial) => !allowed.includes(trial)).map((trial) => trial.table);
  const births = byName.get('birth_registry');
  const countable =
    births?.shape.state === 'present' && births.facts?.maySelect === true && !births.facts.rowSecurityApplies;
  return db.rehearse({ isolation: 'read committed', lockTimeoutMs: 2_000 }, async (tx) => {
    const mapping = await mapHost(tx, db.schema, overrides);
    const lines = [...describeMapping(mapping), ...describeOutdated(mapping, stored)];
    const triggers = await tx.run(readTriggers, {
      schema: db.schema,
      relations: allowed.map((trial) => trial.table),
    });
    for (const trial of allowed) {
      const names = triggers
        .filter((row) => row.relation === trial.table)
        .map((row) => `\`${row.trigger_name}\` (${row.timing} insert)`);
      lines.push(await tryOne(tx, trial, mapping, countable, names));
    }
    if (refused.length > 0) {
      lines.push({
        section: 'write',
        subject: 'not tried',
        state: 'note',
        detail: `this role may not insert into ${refused.join(', ')}`,
      });
    }
    return lines;
  });
}
