// An object whose name tries to deceive a reader goes through the commands: a reader sees all of it and
// nothing else, and --json has the exact name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFindings } from '../../src/record/finding/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { HIDDEN_TEXT, LETTERS, unseenIn } from '../support/hidden.js';

const literal = `'${HIDDEN_TEXT}'`;
let estate: Estate;

beforeAll(async () => {
  estate = await createEstate('reconciled');
  await asHost(
    estate.url,
    `insert into dot_tools (dot_code, name, tier, audit_ref, rollback_ref, law_ref, design_ref, authority_ref, heartbeat_ref, status)
     select ${literal}, ${literal}, tier, audit_ref, rollback_ref, law_ref, design_ref, authority_ref, heartbeat_ref, status
     from dot_tools where dot_code = 'DOT-116';
     insert into birth_registry (entity_code, collection_name, species_code, governance_role, dot_origin)
     select ${literal}, collection_name, species_code, governance_role, dot_origin
     from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-116'`,
  );
  await estate.gcos.intakes.once();
  await estate.gcos.scans.run({ mode: 'incremental' });
  await estate.db.transaction({ isolation: 'read committed' }, (tx) =>
    writeFindings(
      tx,
      [{ type: 'phantom_gap', subject: HIDDEN_TEXT, entityType: 'object', entityCode: HIDDEN_TEXT }],
      { runId: 'r', at: '2026-06-01 12:00:00+00', ruleset: null, activeRuleset: null },
    ),
  );
  await asHost(
    estate.url,
    `update governance_setting set setting_value = jsonb_build_object('paused', true, 'resume', null,
       'pause', jsonb_build_object('by', ${literal}, 'login', 'postgres', 'reason', ${literal}, 'at', now()))
     where setting_key = 'worker.paused';
     create function refuse() returns event_trigger language plpgsql as $$ begin raise exception using message = ${literal}; end $$;
     create event trigger refuse on ddl_command_start execute function refuse()`,
  );
});
afterAll(() => estate?.close());

/** Every text in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('a name with hidden characters', () => {
  it.each([
    ['finding list', ['finding', 'list', '--limit', '10000']],
    ['explain', ['explain', 'dot_tools', HIDDEN_TEXT]],
    ['gate check', ['gate', 'check', 'dot_tools', HIDDEN_TEXT]],
    ['status', ['status']],
    ['an error', ['uninstall', '--yes']],
  ])('is shown by %s as it is', async (_, args) => {
    const run = (...more: string[]) => runCli([...args, ...more], { env: { DATABASE_URL: estate.url } });
    const [text, json] = await Promise.all([run(), run('--json')]);
    const output = text.stdout + text.stderr;
    expect(unseenIn(output)).toEqual([]);
    expect(output).toContain('X-\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{202e}evil\\u{2066}\\u{a}2. May this');
    expect(output).toContain(`\\u{200b}\\u{2028}\\u{85}\\u{7f}${LETTERS}`);
    expect(output).not.toMatch(/^2\. May this go to production\? {2}yes.*owned/m);
    expect(unseenIn(json.stdout + json.stderr)).toEqual([]);
    expect(textsIn(JSON.parse(json.stdout)).some((each) => each.includes(HIDDEN_TEXT))).toBe(true);
  });
});
