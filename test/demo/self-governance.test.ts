// GCOS governs itself (seed 34 §0): in the demo estate its tables, workers, rulesets and exceptions are
// objects with owners, and the findings about them come and go like those about any other object. By commands
// only, apart from the host's own changes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DUTIES } from '../../src/work/worker/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('scanned');
});
afterEach(() => estate.close());

const host = (text: string) => asHost(estate.url, text);
async function run(...args: string[]): Promise<Record<string, never>> {
  const { exit, stdout, stderr } = await runCli([...args, '--json'], { env: { DATABASE_URL: estate.url } });
  expect([0, 2], stderr).toContain(exit);
  return JSON.parse(stdout);
}

interface Explained {
  readonly scopes: readonly {
    readonly scope: string;
    readonly coverage_outcome: string | null;
    readonly valid: boolean;
    readonly links: readonly { readonly link: string; readonly ref: string | null }[];
  }[];
}
const explain = async (collection: string, code: string): Promise<Explained['scopes']> =>
  ((await run('explain', collection, code)) as unknown as Explained).scopes;

interface FoundList {
  readonly findings: readonly { readonly subject: string; readonly scope: string }[];
}
/** The open owner gaps about this object, by scope. */
async function ownerGaps(code: string): Promise<readonly string[]> {
  const { findings } = (await run(
    'finding',
    'list',
    '--type',
    'owner_gap',
    '--limit',
    '500',
  )) as unknown as FoundList;
  return findings.filter((each) => each.subject.includes(` ${code} `)).map((each) => each.scope);
}
/** A round of the worker, and a scan. */
async function catchUp(): Promise<void> {
  await run('worker', 'run', '--once');
  await run('scan', 'run');
}

describe('seed 34 §0 rule 1, GCOS governs itself', () => {
  it('has an owner in every scope for each of its governed tables, as seed 34 §0 declares', async () => {
    const [tables = []] = (
      await host(
        `select array_agg(table_code order by table_code) as tables from table_registry where to_regclass(table_code) is not null`,
      )
    ).map((row) => row['tables'] as string[]);
    expect(tables).toEqual(
      expect.arrayContaining([
        'governance_candidate_state',
        'governance_candidate_object',
        'candidate_scan_run',
        'governance_group',
        'governance_ruleset',
        'governance_exception',
      ]),
    );
    for (const table of tables) {
      const scopes = await explain('table_registry', table);
      expect(scopes.map((each) => [each.scope, each.coverage_outcome])).toEqual(
        ['approval', 'audit', 'execution', 'health', 'policy', 'render'].map((scope) => [scope, 'covered']),
      );
    }
    const owners = Object.fromEntries(
      (await explain('table_registry', 'governance_candidate_state')).map((each) => [
        each.scope,
        each.links.find(({ link }) => link === 'owner')?.ref,
      ]),
    );
    expect(owners).toEqual({
      policy: 'GOV-COUNCIL',
      health: 'GOV-SIV',
      execution: 'GOV-DOT',
      render: 'GOV-MOUT',
      approval: 'GOV-COUNCIL',
      audit: 'GOV-SIV',
    });
    evidence(`${some(tables.length, 'table')} of GCOS covered in 6 scopes`);
  });

  it('names every duty of its worker, its rulesets and its exceptions as objects', async () => {
    const duties = await host(
      `select path from route_registry where path like '/gcos/worker/%' order by route_code`,
    );
    expect(duties.map((row) => row['path'])).toEqual(
      // A home has `sync`; `feed` and `relay` only pass on what the others did, and are not in the estate.
      DUTIES.filter((duty) => !['sync', 'feed', 'relay'].includes(duty)).map(
        (duty) => `/gcos/worker/${duty}`,
      ),
    );
    for (const [collection, code, required] of [
      ['route_registry', 'RT-021', 'execution'],
      ['dot_tools', 'DOT-301', 'health'],
      ['universal_rule_registry', 'UR-023', 'policy'],
      ['policy_registry', 'POL-016', 'policy'],
      ['policy_registry', 'POL-017', 'approval'],
    ] as const) {
      const scope = (await explain(collection, code)).find((each) => each.scope === required);
      expect(scope, `${collection} ${code}`).toMatchObject({ coverage_outcome: 'covered', valid: true });
    }
  });

  it.each([
    ['its table of verdicts', 'governance_record', 'governance_candidate_state', 'audit'],
    ['a duty of its worker', 'route', 'RT-021', 'execution'],
    ['its rulesets', 'rule', 'UR-023', 'policy'],
  ])(
    'raises owner_gap when %s loses its owner, and resolves it when it has one again',
    async (_, type, ref, scope) => {
      const row = `object_type = '${type}' and object_ref = '${ref}' and scope = '${scope}'`;
      expect(await ownerGaps(ref)).toEqual([]);
      await host(`update governance_object_ownership set lifecycle_status = 'revoked' where ${row}`);
      await catchUp();
      expect(await ownerGaps(ref)).toEqual([scope]);
      await host(`update governance_object_ownership set lifecycle_status = 'active' where ${row}`);
      await catchUp();
      expect(await ownerGaps(ref)).toEqual([]);
    },
  );
});
