// Owns the monitoring gauges: tail lag, dirty rows and their exposure, backlog, dead letters, age of the last
// proof, heartbeats. All values are read in one database snapshot.
import { readServerTime, type Transaction } from '../../db/index.js';
import { type TailWatch, watchTail } from '../../inventory/tail/index.js';
import { countDeadLetters, type Heartbeat, readHeartbeats, readPause } from '../../record/cursor/index.js';
import { readRiskWeights } from '../scan/index.js';
import { readWatchedAge } from '../watched.js';
import { readBacklog, readDirty } from './gauges.sql.js';

export interface Gauges {
  readonly at: string;
  /** Undefined if the tail was never started. */
  readonly tail: TailWatch | undefined;
  readonly dirty: readonly {
    readonly kind: string;
    readonly riskClass: string;
    readonly rows: bigint;
    /** Seconds of waiting for a scan, summed over dirty and expired rows, times the risk weight. */
    readonly exposure: number;
  }[];
  readonly recompute: bigint;
  readonly held: bigint;
  readonly deadLetters: ReadonlyMap<string, bigint>;
  /** Undefined if no run was ever proved. */
  readonly proofSeconds: number | undefined;
  readonly heartbeats: readonly Heartbeat[];
  readonly paused: boolean;
  /** Seconds since the host was last watched, undefined: never; and whether the gate blocks because of it. */
  readonly watched: { readonly seconds: number | undefined; readonly unwatched: boolean };
}

/** All gauges at the time `at`, by default the server time. */
export async function readGauges(tx: Transaction, given?: string): Promise<Gauges> {
  const at = given ?? (await readServerTime(tx));
  const weigh = await readRiskWeights(tx);
  const backlog = await tx.one(readBacklog, { at });
  return {
    at,
    tail: await watchTail(tx, at),
    dirty: (await tx.run(readDirty, { at })).map((row) => ({
      kind: row.kind,
      riskClass: row.risk_class,
      rows: row.rows,
      exposure: row.seconds * weigh(row.risk_class),
    })),
    recompute: backlog.recompute,
    held: backlog.held,
    deadLetters: await countDeadLetters(tx),
    proofSeconds: backlog.proof_seconds ?? undefined,
    heartbeats: await readHeartbeats(tx, at),
    paused: (await readPause(tx)).paused,
    watched: await readWatchedAge(tx),
  };
}
