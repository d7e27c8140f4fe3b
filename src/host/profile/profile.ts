// Owns the coverage profile of a class under given rules: its risk, how long a verdict stays valid, whether
// the container represents its members, and the required links. Under rules without profiles no class has
// one; there is no default profile.
import { z } from 'zod';
import { settingErrors, type Transaction } from '../../db/index.js';
import { plainJson } from '../../kernel/index.js';
import { hasComponent, type RulesetContent, rowsOf } from '../rule/content.js';
import { resolveRows } from './profile.sql.js';

export {
  type CollectionDecision,
  type DecisionMeaning,
  lifecycleColumns,
  readDecisions,
  terminalStatuses,
} from './decision.js';

export interface CoverageProfile {
  readonly code: string;
  readonly classPattern: string;
  /** The host's value: write_high, write_low, read or descriptive. */
  readonly riskClass: string;
  /**
   * How long a verdict under this profile stays valid, as an interval and in seconds. Null seconds: it does
   * not expire.
   */
  readonly ttl: string | null;
  readonly ttlSeconds: bigint | null;
  readonly class0: boolean;
  readonly inherits: boolean;
  readonly primaryAxisFamily: string | null;
  /** Scope → links required in it. */
  readonly requiredLinks: Readonly<Record<string, readonly string[]>>;
}

export interface Profiles {
  /** False if the rules have no profiles, because the host had no table that GCOS could read. */
  readonly available: boolean;
  readonly byClass: ReadonlyMap<string, CoverageProfile>;
}

const links = z.record(z.string(), z.array(z.string()));

function parseLinks(code: string, text: string): CoverageProfile['requiredLinks'] {
  const parsed = links.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw settingErrors.setting_invalid(
    `coverage profile \`${code}\`: required_links: ${parsed.error.issues[0]?.message ?? 'wrong form'}`,
    { help: 'required_links is an object: scope to array of links' },
  );
}

/**
 * The profile of each of `classes` that has one under `content`. An exact name has precedence over a pattern,
 * a longer pattern over a shorter one.
 */
export async function resolveProfiles(
  tx: Transaction,
  content: RulesetContent,
  classes: readonly string[],
): Promise<Profiles> {
  if (!hasComponent(content, 'profiles')) return { available: false, byClass: new Map() };
  const profiles = JSON.stringify(plainJson(rowsOf(content, 'profiles')));
  const rows = classes.length === 0 ? [] : await tx.run(resolveRows, { classes, profiles });
  return {
    available: true,
    byClass: new Map(
      rows.map((row) => [
        row.object_class,
        {
          code: row.profile_code,
          classPattern: row.class_pattern,
          riskClass: row.risk_class,
          ttl: row.ttl,
          ttlSeconds: row.ttl_seconds,
          class0: row.class_0,
          inherits: row.inherits,
          primaryAxisFamily: row.primary_axis_family,
          requiredLinks: parseLinks(row.profile_code, row.required_links),
        },
      ]),
    ),
  };
}
