// Owns the smallest set of acts that would turn a block into an allow: each act once, for any number of
// scopes, with the bodies that can perform it.
import type { Transaction } from '../../db/index.js';
import { defaultOwners } from '../../host/index.js';
import { readFindingSettings } from '../../record/finding/index.js';
import { type ActingBodies, readActingBodies } from '../fix/index.js';
import type { Act, WordedReason } from './reason.js';

export interface GateFix {
  readonly what: string;
  /** Empty: the host names no body. */
  readonly who: readonly string[];
}

export interface Bodies extends ActingBodies {
  /** Scope → its default owner. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** The bodies that can act: from the settings, if the host lists them, and the host's default owners. */
export async function readBodies(tx: Transaction, worded: readonly WordedReason[]): Promise<Bodies> {
  const scopes = new Set(worded.flatMap((each) => each.reason.scope ?? []));
  const acting = await readActingBodies(tx, await readFindingSettings(tx));
  return { ...acting, defaults: await defaultOwners(tx, [...scopes]) };
}

function whoCan(act: Act, bodies: Bodies): readonly string[] {
  if (act.who !== 'siv' && act.who !== 'council' && act.who !== 'owner') return bodies.named(act.who);
  const byScope = act.scope === null ? undefined : bodies.defaults.get(act.scope);
  const body =
    act.who === 'siv'
      ? bodies.siv
      : act.who === 'council'
        ? bodies.council
        : (act.owner ?? byScope ?? bodies.council);
  return body === null ? [] : [body];
}

export function fixesOf(worded: readonly WordedReason[], bodies: Bodies): readonly GateFix[] {
  const byAct = new Map<string, Set<string>>();
  for (const act of worded.flatMap((each) => each.acts)) {
    const who = byAct.get(act.what) ?? new Set();
    byAct.set(act.what, who);
    for (const body of whoCan(act, bodies)) who.add(body);
  }
  return [...byAct].map(([what, who]) => ({ what, who: [...who].sort() }));
}
