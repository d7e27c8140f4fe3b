// Reads input quality: the states of objects and groups, and the findings about them.
import { readServerTime, type Transaction } from '../../src/db/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import type { VerdictStamp } from '../../src/verdict/candidate/index.js';
import { asHost } from './database.js';

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** One state, with the verdict that follows from it. */
export const needsInput = (state: string) => [{ state, verdict: 'needs_input' }];

/** Queries against the database at `url()`, evaluated at each call. */
export function inputAt(url: () => string) {
  const all = (sql: string) => asHost(url(), sql);
  const one = async (sql: string) => (await all(sql))[0];
  return {
    all,
    one,
    /** The distinct states and verdicts of one object over all scopes. */
    ownOf: (collection: string, code: string) =>
      all(
        `select distinct input_quality_state as state, candidate_verdict as verdict from governance_candidate_object
         where row_state = 'active' and collection_name = ${quoted(collection)} and entity_code = ${quoted(code)} order by 1`,
      ),
    groupStates: (collection: string) =>
      all(
        `select distinct s.input_quality_state as state, s.candidate_verdict as verdict
         from governance_candidate_state s join governance_inventory i using (inventory_key)
         where s.row_state = 'active' and i.source_registry = ${quoted(collection)} order by 1, 2`,
      ),
    openFindings: (type: string) =>
      all(
        `select f.subject, f.coalesce_key, i.status, i.reopen_count::int as reopens from governance_finding_key f
         join system_issues i on i.code = f.issue_code where f.finding_type = '${type}' and i.status = 'open' order by 1, 2`,
      ),
    /** A hash of all candidate rows except those of one object. */
    othersThan: (collection: string, code: string) =>
      one(
        `select md5(string_agg(x, '|' order by x)) as rows from (
           select s::text as x from governance_candidate_state s
           union all
           select o::text from governance_candidate_object o
           where (o.collection_name, o.entity_code) <> (${quoted(collection)}, ${quoted(code)})) c`,
      ),
    /** The stamp that an evaluation in `tx` would write into its rows. */
    stamp: async (tx: Transaction): Promise<VerdictStamp> => {
      return {
        rulesetVersion: (await readActive(tx))?.version ?? '',
        runId: 'test-run',
        at: await readServerTime(tx),
      };
    },
  };
}
