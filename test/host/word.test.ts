// The host's words in the database: found by init and upgrade, written by no login, and taken by functions
// instead of a word from the caller.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mapHost } from '../../src/host/index.js';
import { wordSeeds } from '../../src/host/word.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

describe('the words of the host', () => {
  let estate: Estate;
  let people: People;
  const sql = (text: string) => asHost(estate.url, text);
  const word = async (kind: string, of: string) =>
    (await sql(`select gcos_host_word('${kind}', '${of}') as word`))[0]?.['word'];
  beforeEach(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });

  it('are those that init found, and change with upgrade and with the setting of an operator only', async () => {
    const { words } = await estate.db.transaction({ isolation: 'read committed' }, (tx) =>
      mapHost(tx, 'public'),
    );
    for (const { kind, from, to } of words) expect(await word(kind, from)).toBe(to ?? from);
    await sql(`alter table system_issues add constraint narrower check (status <> 'resolved') not valid`);
    expect(await word('issue_status', 'resolved')).toBe('resolved');
    const outdated = async () =>
      (await estate.gcos.doctor()).lines.filter(({ detail }) => detail.includes('run `gcos upgrade`'));
    expect(await outdated()).toMatchObject([{ subject: 'issue status resolved', state: 'problem' }]);
    const { rows } = await estate.gcos.upgrade();
    expect(rows.map(({ table }) => table)).toEqual(['governance_host_word']);
    expect(await outdated()).toEqual([]);
    expect(await word('issue_status', 'resolved')).toBe('closed');
    await sql(
      `update governance_setting set setting_value = '{"issue_status": {"resolved": "done"}}' where setting_key = 'host.mapping'`,
    );
    expect(await word('issue_status', 'resolved')).toBe('done');
    expect(await word('no such kind', 'as it is')).toBe('as it is');
  });

  it('come from no table of the host that is named like the settings', async () => {
    const host = await createEstate('host');
    await asHost(
      host.url,
      `create table governance_setting (setting_key text, setting_value jsonb);
       insert into governance_setting values ('host.mapping', '{"issue_status": {"resolved": "open"}}')`,
    );
    const seeds = await host.db.transaction({ isolation: 'read committed' }, (tx) => wordSeeds(tx, 'public'));
    expect(seeds.join()).toContain("('issue_status', 'resolved', 'resolved')");
    expect(seeds.join()).not.toContain("('issue_status', 'resolved', 'open')");
    await host.close();
  });

  it('are written by no login', async () => {
    for (const role of ['gcos_api', 'gcos_server', 'gcos_worker', 'gcos_reader', 'gcos_pruner']) {
      const { url } = await people.login(`word-${role.slice(5)}`, role);
      for (const text of [
        `insert into governance_host_word values ('issue_status', 'resolved', 'open')`,
        `update governance_host_word set host_word = 'open'`,
        'delete from governance_host_word',
      ])
        await expect(asHost(url, text)).rejects.toThrow(/permission denied/);
      await expect(setClock(url, { ahead: '1 hour' })).rejects.toThrow(/permission denied|must be owner/);
    }
  });
});
