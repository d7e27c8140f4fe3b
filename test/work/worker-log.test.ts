// The log in docs/workers.md is one that a worker writes: each line of the page has its counterpart in the
// log of a real worker, with the same fields and the same sentence, numbers aside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeLog } from '../../src/index.js';
import { checkout } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { until } from '../support/wait.js';
import { estate, useWorked, workerUrl } from '../support/worked.js';

useWorked();

type Line = Readonly<Record<string, unknown>>;

const page = readFileSync(join(checkout, 'docs/workers.md'), 'utf8');
const documented = [...page.matchAll(/^\{"time":.*\}$/gm)].map(([text]) => JSON.parse(text) as Line);

/** A line without its numbers and its time, which differ in every run. */
const formOf = (line: Line): string => JSON.stringify({ ...line, time: '' }).replaceAll(/\d+(\.\d+)*/g, '0');

it('writes lines of the form that the documentation shows', async () => {
  const gcos = await openAt(workerUrl);
  const stop = new AbortController();
  const lines: Line[] = [];
  const running = gcos.worker.run({
    signal: stop.signal,
    log: makeLog((line) => lines.push(JSON.parse(line) as Line)),
    port: 0,
    host: '127.0.0.1',
  });
  const logged = (what: Line) =>
    until(JSON.stringify(what), () =>
      lines.some((line) => Object.entries(what).every(([name, value]) => line[name] === value)),
    );
  await logged({ event: 'duty_working', duty: 'intake' });
  await asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, governance_role, dot_origin)
     select 'LOGGED', collection_name, species_code, governance_role, dot_origin from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await logged({ event: 'round', duty: 'scanner' });
  await asHost(estate.url, 'revoke select on birth_registry from gcos_worker');
  await logged({ event: 'duty_failed', duty: 'intake', failures: 2 });
  await asHost(estate.url, 'grant select on birth_registry to gcos_worker');
  await logged({ event: 'duty_recovered', duty: 'intake' });
  stop.abort();
  await running;
  await gcos.close();
  const forms = new Set(lines.map(formOf));
  expect(documented.length).toBeGreaterThan(5);
  expect(documented.map(formOf).filter((form) => !forms.has(form))).toEqual([]);
});
