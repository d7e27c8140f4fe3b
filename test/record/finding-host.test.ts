// Findings and the host: routes by its ownership tables, and values in its vocabulary.
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { ALL, estate, gap, issues, useFindings, write } from '../support/findings.js';

useFindings();

describe('routes', () => {
  const routed = async (more: Partial<Observation>) => (await write([gap('r', more)])).raised[0]?.routes;
  const article = {
    objectType: 'article',
    objectRef: 'A-1',
    collection: 'articles',
    objectClass: 'article',
  };

  it.each([
    [
      'the direct owner',
      { scope: 'execution', owner: { objectType: 'dot_tool', objectRef: 'DOT-117' } },
      ['GOV-DOT'],
    ],
    ['the owner through the collection', { scope: 'health', owner: article }, ['GOV-SIV']],
    [
      'the owner through the class',
      {
        scope: 'render',
        owner: { objectType: 'course', objectRef: 'C-1', collection: 'courses', objectClass: 'course' },
      },
      ['GOV-MOUT'],
    ],
    [
      'the council where owners conflict',
      { scope: 'policy', owner: { objectType: 'product', objectRef: 'P-1', collection: 'products' } },
      ['GOV-COUNCIL'],
    ],
    [
      'the default owner of the scope where the object has no owner',
      { scope: 'render', owner: { objectType: 'venue', objectRef: 'V-1', collection: 'venues' } },
      ['GOV-MOUT'],
    ],
    ['the default owner where no object is named', { scope: 'audit' }, ['GOV-SIV']],
    [
      'the council where the scope has no default owner',
      { scope: 'nowhere', owner: article },
      ['GOV-COUNCIL'],
    ],
    [
      'the council for disputes, with any owner',
      { type: 'owner_conflict', scope: 'health', owner: article },
      ['GOV-COUNCIL'],
    ],
    ['GOV-SIV for process findings', { type: 'cursor_lag', scope: 'render', owner: article }, ['GOV-SIV']],
    [
      'GOV-SIV and the council for overflowing dead letters',
      { type: 'backfill_dlq_overflow' },
      ['GOV-SIV', 'GOV-COUNCIL'],
    ],
  ] as const)('go to %s', async (_, more, routes) => {
    expect(await routed(more)).toEqual(routes);
  });

  it('go to the council where the host has no ownership tables', async () => {
    await asHost(
      estate.url,
      'alter table governance_object_ownership rename to o; alter table governance_responsibility_scope rename to s',
    );
    expect(await routed({ scope: 'health', owner: article })).toEqual(['GOV-COUNCIL']);
  });
});

describe('findings', () => {
  it('are written with values that the host allows, and are refused where it allows none', async () => {
    await asHost(
      estate.url,
      `create domain issue_state as varchar(8) check (value in ('new', 'closed'));
       alter table system_issues alter column status drop default, alter column status type issue_state using 'closed',
         alter column coalesce_key type varchar(255), alter column entity_code type varchar(255) using left(entity_code, 255),
         alter column evidence_snapshot type jsonb, alter column occurrence_count type bigint;
       update system_issues set severity = 'info';
       alter table system_issues add constraint narrow check (severity in ('info', 'warning', 'critical'))`,
    );
    await estate.gcos.upgrade();
    await write([gap('g1', { link: 'owner', riskClass: 'read' })]);
    await write([], ALL);
    const done = await write([gap('g1')], { at: '2026-07-01 00:00:00+00' });
    expect(done.reopened).toMatchObject([{ severity: 'high' }]);
    expect(await issues()).toMatchObject([
      { status: 'new', severity: 'critical', evidence: { severity: 'high' } },
    ]);
    await asHost(
      estate.url,
      `update system_issues set severity = null;
       alter table system_issues drop constraint narrow, add constraint foreign_words check (severity in ('rouge', 'jaune'))`,
    );
    await estate.gcos.upgrade();
    await expect(write([gap('g2')])).rejects.toMatchObject({
      code: 'finding_word_missing',
      message: expect.stringContaining('severity `'),
      exit: 4,
    });
  });
});
