// What every command that touches rules says at its end: whether the rules in the tables are those in force. The finding
// `ruleset_drift` is kept up to date on the way, by logins that may write findings; others only hear of it.
import { type Gcos, GcosError } from '../index.js';

export interface DriftReport {
  /** Null: nothing is in force. */
  readonly active: string | null;
  readonly current: string;
  readonly drifted: boolean;
  /** Whether the finding was brought up to date. */
  readonly recorded: boolean;
}

export async function noteDrift(gcos: Gcos): Promise<DriftReport> {
  try {
    const { active, current, drifted } = await gcos.rulesets.drift();
    return { active, current, drifted, recorded: true };
  } catch (error) {
    if (!(error instanceof GcosError && error.code === 'privilege_missing')) throw error;
    const { active, current, drifted } = await gcos.rulesets.seeDrift();
    return { active, current, drifted, recorded: false };
  }
}

export function driftLines({ active, current, drifted, recorded }: DriftReport): string[] {
  if (!drifted) return [];
  const finding = recorded ? 'finding ruleset_drift' : 'this login may not write the finding ruleset_drift';
  return [
    `in force is ${active}, the rules in the tables are ${current} (${finding}); \`gcos ruleset plan\` shows what would change`,
  ];
}
