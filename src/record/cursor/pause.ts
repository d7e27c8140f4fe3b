// Owns the setting that pauses all workers. Every work transaction reads it first. A running transaction ends
// normally; no new one starts until `resume`.
import { z } from 'zod';
import { type Database, readSetting, settingErrors, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { cursorErrors } from './errors.js';
import { openWorkRow, setPausedRow } from './pause.sql.js';

const pauseSetting = z.object({
  paused: z.boolean(),
  reason: z.string().nullish(),
  by: z.string().optional(),
  at: z.string().optional(),
});
export type PauseState = z.infer<typeof pauseSetting>;

function parse(value: string): PauseState {
  const parsed = pauseSetting.safeParse(JSON.parse(value));
  if (parsed.success) return parsed.data;
  throw settingErrors.setting_invalid(
    `setting \`worker.paused\`: ${parsed.error.issues[0]?.message ?? 'wrong form'}`,
  );
}

function refuse(state: PauseState): void {
  if (!state.paused) return;
  const why = state.reason ? `: ${state.reason}` : '';
  throw cursorErrors.workers_paused(`all workers are paused${state.by ? ` by \`${state.by}\`` : ''}${why}`);
}

/** Whether the workers are paused, by which login, and why. */
export function readPause(tx: Transaction): Promise<PauseState> {
  return readSetting(tx, 'worker.paused', pauseSetting, { paused: false });
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

  /** Stops all workers at their next transaction. */
  pause(reason: string | null = null): Promise<PauseState> {
    return this.#set(true, reason);
  }

  resume(reason: string | null = null): Promise<PauseState> {
    return this.#set(false, reason);
  }

  async state(): Promise<PauseState> {
    await this.#installation.requireInstalled();
    return this.#db.transaction({ isolation: 'read committed', readOnly: true }, readPause);
  }

  async #set(paused: boolean, reason: string | null): Promise<PauseState> {
    await this.#installation.requireInstalled();
    const row = await this.#db.transaction({ isolation: 'read committed' }, (tx) =>
      tx.one(setPausedRow, { paused, reason }),
    );
    return parse(row.setting_value);
  }
}
