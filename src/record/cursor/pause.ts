// Owns the setting that pauses all workers. Every work transaction reads it first. A running transaction ends
// normally; no new one starts until `resume`. A person pauses and resumes; the database audits both, and the
// gate blocks high risk while workers are paused.
import { z } from 'zod';
import { type Database, defineSetting, parseSetting, readSetting, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { currentActor } from '../approval/index.js';
import { cursorErrors } from './errors.js';
import { openWorkRow, setPausedRow } from './pause.sql.js';

const pauseAct = z.object({
  /** The person, and the login that acted. */
  by: z.string(),
  login: z.string(),
  reason: z.string().nullable(),
  at: z.string(),
});
const pauseSetting = z.object({
  paused: z.boolean(),
  /** The last pause, and the resume that ended it; null: none. */
  pause: pauseAct.nullable().default(null),
  resume: pauseAct.nullable().default(null),
});
export type PauseAct = z.infer<typeof pauseAct>;
export type PauseState = z.infer<typeof pauseSetting>;
export const workerPaused = defineSetting({
  key: 'worker.paused',
  form: pauseSetting,
  default: { paused: false, pause: null, resume: null },
  about:
    'whether all workers are paused, and who paused and resumed them last, when and why; only gcos pause and gcos resume change it',
  changedBy: 'command',
});

const parse = (value: string): PauseState => parseSetting(workerPaused, JSON.parse(value));

function refuse(state: PauseState): void {
  if (!state.paused) return;
  const { pause } = state;
  const since = pause === null ? '' : ` by \`${pause.by}\` since ${pause.at}: ${pause.reason ?? ''}`;
  throw cursorErrors.workers_paused(`all workers are paused${since}`);
}

/** Whether the workers are paused; who paused and resumed them last, when and why. */
export function readPause(tx: Transaction): Promise<PauseState> {
  return readSetting(tx, workerPaused);
}

/**
 * Opens a work transaction: tags it and returns the server's time; throws `workers_paused` while workers are
 * paused.
 */
export async function openWork(tx: Transaction, tag: string): Promise<string> {
  const { paused, at } = await tx.one(openWorkRow, { tag });
  if (paused !== null) refuse(parse(paused));
  return at;
}

/** The operations with which an operator pauses and resumes workers. */
export class Workers {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Stops all workers at their next transaction, as the acting person. */
  async pause(reason: string): Promise<PauseState> {
    if (reason.trim() === '') throw cursorErrors.pause_reason_missing('a pause needs a reason');
    return this.#set(true, reason);
  }

  /** Lets the workers continue, as the acting person. */
  resume(reason: string | null = null): Promise<PauseState> {
    return this.#set(false, reason);
  }

  async state(): Promise<PauseState> {
    await this.#installation.requireInstalled();
    return this.#db.transaction({ isolation: 'read committed', readOnly: true }, readPause);
  }

  async #set(paused: boolean, reason: string | null): Promise<PauseState> {
    await this.#installation.requireInstalled();
    return this.#db.transaction({ isolation: 'read committed' }, async (tx) => {
      // Gives a clear error for a login without a person. The function itself also refuses such a login.
      await currentActor(tx);
      return parse((await tx.one(setPausedRow, { paused, reason })).setting_value);
    });
  }
}
