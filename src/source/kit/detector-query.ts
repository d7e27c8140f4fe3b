// Owns the queries of a detector: the one that the ruleset holds counts what the other one lists, so that the
// rules in force also say what to do. INVARIANT: the list comes from the text in force, not from a kit.
import { quoteLiteral } from '../../db/index.js';
import type { KitDocument } from './document.js';

const BEFORE = 'select count(*) from (\n';
const AFTER = '\n) as found';

/** The source query of a measurement: how many objects the detector finds. */
export function countingQuery({ where, reason, fix }: KitDocument['detectors'][number]): string {
  const [sources, conditions] = where.split(/^where /m);
  return `${BEFORE}select o.source_id, o.object_class, o.code, ${quoteLiteral(reason)} as reason,
  ${fix} as fix
from gcos_source_object o
${sources}where o.status = 'active' and ${conditions}${AFTER}`;
}

/**
 * The query that lists what a measurement of a kit counts: source_id, object_class, code, reason, fix;
 * undefined for any other measurement.
 */
export function listingQuery(sourceQuery: string): string | undefined {
  if (!sourceQuery.startsWith(`${BEFORE}select o.source_id, `) || !sourceQuery.endsWith(AFTER))
    return undefined;
  return sourceQuery.slice(BEFORE.length, -AFTER.length);
}
