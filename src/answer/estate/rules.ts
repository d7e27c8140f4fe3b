// Owns what a home gets before its first ruleset: the rules of a kit, a person, a body that answers for the
// rules, and the approval policy of a small team. INVARIANT: once a ruleset is in force only the rows of the
// kit are written: everything else is a decision of people by then.
import { readSetting, type Setting, statement, type Transaction } from '../../db/index.js';
import { approvalPolicy } from '../../record/approval/index.js';
import { kit, kitSettings, withOverrides, writeKit } from '../../source/kit/index.js';
import { coverageSettings } from '../../verdict/coverage/index.js';

/** The body that a home begins with. */
const OPERATORS = 'gcos-operators';

export interface ProvidedRules {
  /** How many rows of the kit changed. */
  readonly changed: number;
  /** Whether the home got its first person, body and policy. */
  readonly begun: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const insertPerson = statement<Record<never, never>, { readonly person_ref: string }>({
  name: 'estate.person',
  sql: `insert into governance_actor (person_ref, login, approver_type)
  select session_user, session_user, 'member' where not exists (select from governance_actor) returning person_ref`,
});
const insertBody = statement<{ readonly code: string }, { readonly code: string }>({
  name: 'estate.body',
  sql: `insert into governance_registry (code, name, status)
  values ($1::text, 'Those who operate GCOS', 'active') on conflict (code) do nothing returning code`,
  params: ['code'],
});
const writeSetting = statement<
  { readonly key: string; readonly value: string },
  { readonly setting_key: string }
>({
  name: 'estate.setting',
  sql: `update governance_setting set setting_value = $2::jsonb, updated_at = now(), updated_by = session_user
  where setting_key = $1::text and setting_value is distinct from $2::jsonb returning setting_key`,
  params: ['key', 'value'],
});

async function settingsOf(tx: Transaction, chosen: ReturnType<typeof withOverrides>): Promise<Json> {
  const read = async (key: string) => {
    const found = coverageSettings.find((each) => each.key === key);
    return readSetting(tx, found as unknown as Setting<unknown>);
  };
  return kitSettings(chosen, {
    linkColumns: (await read('verdict.link_columns')) as Json,
    linkEvidence: (await read('verdict.link_evidence')) as readonly unknown[],
  });
}

/** What a home of a small team begins with. */
const FIRST: Json = {
  'ruleset.owner': OPERATORS,
  'finding.bodies': { council: OPERATORS, siv: OPERATORS },
  [approvalPolicy.key]: { approvals: 1, self_approval: true },
};

/** Writes the rows of the kit `name`; a change of them is in force once it is approved. */
export async function provideRules(
  tx: Transaction,
  name: string,
  { first }: { readonly first: boolean },
): Promise<ProvidedRules> {
  const chosen = withOverrides(kit(name));
  const { scopes, profiles, detectors } = await writeKit(tx, chosen);
  const wanted = { ...(await settingsOf(tx, chosen)), ...(first ? FIRST : {}) };
  let settings = 0;
  for (const [key, value] of Object.entries(wanted))
    settings += (await tx.run(writeSetting, { key, value: JSON.stringify(value) })).length;
  if (first) await tx.run(insertBody, { code: OPERATORS });
  if (first) await tx.run(insertPerson, {});
  return { changed: scopes + profiles + detectors + settings, begun: first };
}
