// The doctor of an installed GCOS runs the operations of the workers and rolls them back.
import { describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate } from '../support/estate.js';

describe('the doctor of an installed GCOS', () => {
  it('explains code of the host that runs before the schema of the host is on the search path', async () => {
    const estate = await createEstate('installed');
    const findings = async () =>
      (await estate.gcos.doctor()).lines.filter((line) => line.subject.startsWith('a finding'));
    try {
      await asHost(
        estate.url,
        `create table issue_rule (word text);
         grant select on issue_rule to public;
         create function issue_rules() returns trigger language plpgsql as 'begin perform from issue_rule; return null; end';
         create trigger issue_rules before insert on system_issues for each statement execute function issue_rules()`,
      );
      expect(await findings()).toEqual([
        expect.objectContaining({
          state: 'problem',
          detail: expect.stringMatching(/relation "issue_rule" does not exist; .*search_path/),
        }),
      ]);
      await asHost(estate.url, 'alter function issue_rules() set search_path = public');
      expect(await findings()).toEqual([expect.objectContaining({ state: 'note' })]);
    } finally {
      await estate.close();
    }
  });

  it('tries the functions that workers call, and explains a trigger that lacks privileges', async () => {
    const estate = await createEstate('installed');
    try {
      const usable = await estate.gcos.doctor();
      expect(usable.usable).toBe(true);
      expect(usable.lines.filter((line) => line.section === 'write' && line.state !== 'ok')).toEqual([]);
      await asHost(
        estate.url,
        `create function issue_birth() returns trigger language plpgsql as $$
         begin
           insert into birth_registry (entity_code, collection_name, born_at, status) values (new.code, 'system_issues', now(), 'born');
           return null;
         end $$;
         create trigger issue_birth after insert on system_issues for each row execute function issue_birth()`,
      );
      const lines = (await estate.gcos.doctor()).lines.filter((line) => line.subject.startsWith('a finding'));
      expect(lines).toEqual([
        expect.objectContaining({
          state: 'problem',
          detail: expect.stringMatching(/permission denied for table birth_registry.*SECURITY DEFINER/),
        }),
      ]);
      await asHost(estate.url, 'alter function issue_birth() security definer');
      const [born] = (await estate.gcos.doctor()).lines.filter((line) =>
        line.subject.startsWith('a finding'),
      );
      expect(born).toMatchObject({
        state: 'note',
        detail: expect.stringContaining('the host registers a birth for it'),
      });
      expect(await asHost(estate.url, "select 1 from system_issues where code like 'GCOS-%'")).toEqual([]);
    } finally {
      await estate.close();
    }
  });
});
