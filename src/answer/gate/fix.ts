// Owns the smallest set of acts that would turn a block into an allow: each act once, for any number of
// scopes, with the bodies that can perform it.
import type { Transaction } from '../../db/index.js';
import { defaultOwners } from '../../host/index.js';
import { readFindingSettings } from '../../record/finding/index.js';
import type { Act, WordedReason } from './reason.js';

export interface GateFix {
  readonly what: string;
  readonly who: readonly string[];
}

export interface Bodies {
  readonly council: string;
  readonly siv: string;
  /** Scope → its default owner. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** The bodies that can act: from the settings, and the default owners from the host. */
export async function readBodies(tx: Transaction, worded: readonly WordedReason[]): Promise<Bodies> {
  const scopes = new Set(worded.flatMap((each) => each.reason.scope ?? []));
  const { council, siv } = (await readFindingSettings(tx))['finding.bodies'];
  return { council, siv, defaults: await defaultOwners(tx, [...scopes]) };
}

function whoCan(act: Act, bodies: Bodies): readonly string[] {
  if (act.who === 'siv') return [bodies.siv];
  if (act.who === 'council') return [bodies.council];
  if (act.who !== 'owner') return act.who;
  const byScope = act.scope === null ? undefined : bodies.defaults.get(act.scope);
  return [act.owner ?? byScope ?? bodies.council];
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
