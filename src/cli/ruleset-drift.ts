// Owns the drift report of every command that touches rules: whether the rules in the tables match the active
// ruleset. The command also updates the finding `ruleset_drift` if its login may write findings.
import { type Gcos, GcosError } from '../index.js';

export interface DriftReport {
  /** Null: no ruleset is active. */
  readonly active: string | null;
  readonly current: string;
  readonly drifted: boolean;
  /** Whether the finding was updated. */
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
  const finding = recorded ? 'finding ruleset_drift' : 'this login cannot write the finding ruleset_drift';
  return [
    `the active ruleset is ${active}, the rules in the tables are ${current} (${finding}); \`gcos ruleset plan\` shows what would change`,
  ];
}
