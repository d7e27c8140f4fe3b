// The queries in rules are data: the ruleset module never runs them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('the ruleset module', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());

  it('runs no query of a rule', async () => {
    // A sequence advances even when the transaction is rolled back.
    await asHost(
      estate.url,
      `create sequence trap; grant usage on sequence trap to public;
       update measurement_registry set source_query = 'select nextval(''trap'')', target_query = '; select nextval(''trap''); --'`,
    );
    const { rulesets } = estate.gcos;
    const { version } = await rulesets.draft();
    await asHost(
      estate.url,
      "update measurement_registry set source_query = 'select nextval(''trap''), 2' where measurement_id = 'MSR-001'",
    );
    const next = await rulesets.draft();
    await rulesets.show(version, { content: true });
    await rulesets.diff(version, next.version);
    await rulesets.verify(version);
    await rulesets.drift();
    expect(await asHost(estate.url, 'select is_called from trap')).toEqual([{ is_called: false }]);
  });

  it('builds no statement at run time', () => {
    const texts = ['src/host/rule', 'src/rule/ruleset'].flatMap((module) =>
      readdirSync(join(checkout, module), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|sql)$/.test(file))
        .map((file) => [file, readFileSync(join(checkout, module, file), 'utf8')] as const),
    );
    expect(texts.length).toBeGreaterThan(15);
    const executing =
      /\bexecute\s+(?!function\b|on function\b)|\.script\(|\bsql:\s*[`'"]|\bdeclare\s+\w+\s+cursor|\bprepare\b/i;
    expect(texts.filter(([, text]) => executing.test(text)).map(([file]) => file)).toEqual([]);
    // Only the statements that read the rules use these columns: in the process, and in the database.
    const reading = texts.filter(([, text]) => /source_query|target_query/.test(text)).map(([file]) => file);
    expect(reading.sort()).toEqual(['read-content.sql', 'read-content.sql.d.ts', 'schema/content.sql']);
  });
});
