// Owns the routes (recipients) of a finding: its effective owner, else the default owner of the scope, else
// the council. For a finding about a source of births: the body that the host names for it, else its owner in
// most scopes, else the council. Disputes always go to the council. Findings about GCOS's own processes go to
// the integrity body (siv).
import type { Transaction } from '../../db/index.js';
import {
  defaultOwners,
  type EffectiveOwner,
  knownBodies,
  resolveOwners,
  sourceOwners,
} from '../../host/index.js';
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

/** Index of a finding → the body to ask about its source, if one is known. */
async function sourceRoutes(
  tx: Transaction,
  findings: readonly Routable[],
  at: string,
): Promise<ReadonlyMap<number, string>> {
  const asked = findings.map(({ observation }) => observation.ask);
  const bodies = await knownBodies(
    tx,
    asked.flatMap((each) => each ?? []),
  );
  const sources = findings.flatMap(({ observation: { source } }, index) =>
    source === undefined ? [] : [{ index, source }],
  );
  const owners = await sourceOwners(
    tx,
    sources.map((each) => each.source),
    at,
  );
  const routes = new Map<number, string>();
  sources.forEach(({ index }, position) => {
    const owner = owners[position];
    if (owner !== undefined) routes.set(index, owner);
  });
  asked.forEach((body, index) => {
    if (body !== undefined && bodies.has(body)) routes.set(index, body);
  });
  return routes;
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
  const bySource = await sourceRoutes(tx, findings, at);
  const defaults = await defaultOwners(tx, [...scopes]);
  const owners = new Map(
    resolved.owners.map((owner, position) => [requested[position]?.index ?? -1, owner] as const),
  );
  return findings.map(({ type, observation }, index) =>
    type.route === 'owner' && observation.escalated === true
      ? [bodies.council]
      : type.route === 'owner'
        ? [bySource.get(index) ?? ownRoute(observation.scope, owners.get(index), defaults, bodies.council)]
        : type.route.split('_and_').map((body) => (body === 'siv' ? bodies.siv : bodies.council)),
  );
}
