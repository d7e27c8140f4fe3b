// Owns the state of each duty, as its heartbeat in the database shows it, whichever process has the duty.
import { type Heartbeat, isSilent } from '../../record/cursor/index.js';
import type { KeptHistory } from '../history.js';
import type { Watched } from '../watched.js';
import type { DutyName } from './duty.js';

export interface DutyStatus {
  readonly duty: DutyName;
  /** Silent: no tick for longer than `worker.watch` allows. Failing: its last rounds failed. */
  readonly state: 'working' | 'paused' | 'stopped' | 'failing' | 'silent' | 'never_started';
  readonly holder: string | null;
  readonly lastTickAt: string | null;
  readonly lastSuccessAt: string | null;
  readonly failingSince: string | null;
  /** Null: the duty has no backlog that it could be behind of, or never ran. */
  readonly lagSeconds: number | null;
  readonly error: string | null;
}

export interface WorkerStatus extends Watched {
  readonly at: string;
  readonly paused: boolean;
  readonly duties: readonly DutyStatus[];
  /** How long history is kept, and how much was pruned. */
  readonly history: readonly KeptHistory[];
}

function stateOf(beat: Heartbeat, silence: number): DutyStatus['state'] {
  if (beat.state === 'stopped') return 'stopped';
  if (isSilent(beat, silence)) return 'silent';
  if (beat.failingSince !== null) return 'failing';
  return beat.state === 'paused' ? 'paused' : 'working';
}

export function dutyStatus(duty: DutyName, beat: Heartbeat | undefined, silence: number): DutyStatus {
  if (beat === undefined)
    return {
      ...{ duty, state: 'never_started', holder: null, lastTickAt: null, lastSuccessAt: null },
      ...{ failingSince: null, lagSeconds: null, error: null },
    };
  const { leaseOwner: holder, lastTickAt, lastSuccessAt, failingSince, lagSeconds, error } = beat;
  const state = stateOf(beat, silence);
  return { duty, state, holder, lastTickAt, lastSuccessAt, failingSince, lagSeconds, error };
}
