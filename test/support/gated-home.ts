// A home with one scope, one class and people, in which a list of assets is what the gate is asked about.
import type { Gcos } from '../../src/index.js';
import { openAt } from './open.js';
import { createSourceHome, type SourceHome } from './source-home.js';

type Duty = 'sync' | 'intake' | 'scanner' | 'supervisor' | 'feed';

export interface GatedHome extends SourceHome {
  readonly gcos: Gcos;
  /** One round of these duties of a worker. */
  once(...duties: Duty[]): Promise<unknown>;
  /** What the gate says: of an object of the source `inventory`, or as the arguments ask. */
  gate(...question: string[]): Promise<{
    readonly exit: number | null;
    readonly answer: string | undefined;
    readonly reasons: readonly { readonly code: string; readonly sentence: string }[];
  }>;
}

/** SQL for a home with one scope, and a quorum of people for whom the operator may act. */
export const ONE_SCOPE = `insert into governance_responsibility_scope (scope_code) values ('execution');
  insert into governance_registry (code, name) values ('GOV-COUNCIL', 'Council'), ('GOV-SIV', 'Integrity');
  insert into gcos_trust.governance_actor (person_ref, login, approver_type, may_act_for_others)
  values ('operator', session_user, 'member', true), ('president', null, 'president', false), ('member-1', null, 'member', false),
    ('council-1', null, 'council', false), ('council-2', null, 'council', false);
  update gcos_trust.governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'`;

export async function createGatedHome(): Promise<GatedHome> {
  const home = await createSourceHome();
  const gcos = await openAt(home.url);
  await home.sql(
    `${ONE_SCOPE};
     insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links)
     values ('CP-ASSET', 'asset', 'write_high', '7 days', '{"execution": ["owner"]}')`,
  );
  return {
    ...home,
    gcos,
    once: (...duties) =>
      gcos.worker.once({ signal: new AbortController().signal, log: () => undefined, duties }),
    async gate(...question) {
      const subject = question.length === 1 ? ['inventory_asset', ...question] : question;
      const { exit, stdout } = await home.run('gate', 'check', ...subject, '--json');
      const { decisions } = JSON.parse(stdout) as {
        decisions: { answer: string; reasons: { code: string; sentence: string }[] }[];
      };
      return { exit, answer: decisions[0]?.answer, reasons: decisions[0]?.reasons ?? [] };
    },
    async close() {
      await gcos.close();
      await home.close();
    },
  };
}
