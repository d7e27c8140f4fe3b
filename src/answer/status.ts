// Owns the three questions GCOS exists for, answered on one screen. What is not known is said to be unknown.
import { type Database, type Migration, readSchemaState, statement } from '../db/index.js';
import { type PauseState, readPause } from '../record/index.js';
import readScaleSql from './read-scale.sql.js';

export const readScale = statement({
  name: 'answer.read_scale',
  sql: readScaleSql,
  params: { schema: 'text' },
  columns: { estimated_births: 'int8', never_analyzed: 'bool' },
});

export interface Answer {
  readonly question: string;
  readonly answer: 'yes' | 'no' | 'unknown';
  readonly why: string;
}

export interface Status {
  readonly schema: 'absent' | 'older' | 'current' | 'newer' | 'altered';
  readonly migration: number | null;
  /** Estimated from the server's statistics; null where there is no inventory, or nobody has analysed it yet. */
  readonly births: bigint | null;
  readonly inventory: 'present' | 'absent';
  /** Whether all workers stand still, by whom and why; null where GCOS is not installed. */
  readonly workers: PauseState | null;
  readonly accounted: Answer;
  readonly current: Answer;
  readonly production: Answer;
}

const ACCOUNTED = 'Is every object accounted for?';
const CURRENT = 'Is that answer still true?';
const PRODUCTION = 'May this go to production?';

/** Answers the three questions from what the database holds now. Changes nothing. */
export async function readStatus(db: Database, migrations: readonly Migration[]): Promise<Status> {
  return db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const state = await readSchemaState(tx, db.schema, migrations);
    const [scale] = await tx.run(readScale, { schema: db.schema });
    const why =
      scale === undefined
        ? 'there is no birth_registry here: no inventory to account for'
        : state.status === 'absent'
          ? 'GCOS is not installed here: run `gcos init`'
          : 'no backfill has run: there is no ledger';
    return {
      schema: state.status,
      migration: state.core.at(-1)?.id ?? null,
      births: scale === undefined || scale.never_analyzed ? null : scale.estimated_births,
      inventory: scale === undefined ? 'absent' : 'present',
      workers: state.status === 'current' ? await readPause(tx) : null,
      accounted: { question: ACCOUNTED, answer: 'unknown', why },
      current: {
        question: CURRENT,
        answer: 'unknown',
        why: 'there is no verdict yet that could have expired',
      },
      production: {
        question: PRODUCTION,
        answer: 'no',
        why: 'nothing is known about any object, and unknown is not safe',
      },
    };
  });
}
