// Owns the routes (recipients) of a finding: its effective owner, else the default owner of the scope, else
// the council. Disputes always go to the council. Findings about GCOS's own processes go to the integrity
// body (siv).
import type { Transaction } from '../../db/index.js';
import { defaultOwners, type EffectiveOwner, resolveOwners } from '../../host/index.js';
import type { FindingSettings, FindingType } from './catalogue.js';
import type { Observation } from './observation.js';

export interface Routable {
  readonly type: FindingType;
  readonly observation: Observation;
}

function ownRoute(
  scope: string | undefined,
  owner: EffectiveOwner | undefined,
  defaults: ReadonlyMap<string, string>,
  council: string,
): string {
  if (owner?.conflict) return council;
  return owner?.owner ?? (scope === undefined ? undefined : defaults.get(scope)) ?? council;
}

/** The routes of each finding, in order; one statement for all owners and one for all scopes. */
export async function routeFindings(
  tx: Transaction,
  findings: readonly Routable[],
  bodies: FindingSettings['finding.bodies'],
  at: string,
): Promise<readonly (readonly string[])[]> {
  const requested = findings.flatMap(({ type, observation: { owner, scope } }, index) =>
    type.route === 'owner' && owner !== undefined && scope !== undefined
      ? [{ index, subject: { ...owner, scope } }]
      : [],
  );
  const scopes = new Set(
    findings.flatMap(({ type, observation: { scope } }) =>
      type.route !== 'owner' || scope === undefined ? [] : [scope],
    ),
  );
  const resolved = await resolveOwners(
    tx,
    requested.map((each) => each.subject),
    at,
  );
  const defaults = await defaultOwners(tx, [...scopes]);
  const owners = new Map(
    resolved.owners.map((owner, position) => [requested[position]?.index ?? -1, owner] as const),
  );
  return findings.map(({ type, observation }, index) =>
    type.route === 'owner'
      ? [ownRoute(observation.scope, owners.get(index), defaults, bodies.council)]
      : type.route.split('_and_').map((body) => (body === 'siv' ? bodies.siv : bodies.council)),
  );
}
