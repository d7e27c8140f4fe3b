// Owns the bodies of the setting finding.bodies as those who can act. INVARIANT: an answer names one of them
// only if the host lists it in governance_registry. Owners and contacts that the host's own rows name are
// named as they are.
import type { Transaction } from '../../db/index.js';
import { knownBodies } from '../../host/index.js';
import type { FindingSettings } from '../../record/finding/index.js';

export interface ActingBodies {
  /** Null: the host does not list it. */
  readonly council: string | null;
  readonly siv: string | null;
  /** `codes` without a body of the setting that the host does not list. */
  readonly named: (codes: readonly string[]) => readonly string[];
}

export async function readActingBodies(
  tx: Transaction,
  settings: Pick<FindingSettings, 'finding.bodies'>,
): Promise<ActingBodies> {
  const { council, siv } = settings['finding.bodies'];
  const listed = await knownBodies(tx, [council, siv]);
  const known = (code: string) => listed.has(code) || (code !== council && code !== siv);
  return {
    council: listed.has(council) ? council : null,
    siv: listed.has(siv) ? siv : null,
    named: (codes) => codes.filter(known),
  };
}
