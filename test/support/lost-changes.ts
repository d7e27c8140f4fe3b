// Changes of births that the tail may lose sight of, and the ways to make it read the whole table again.
import { asHost } from './database.js';
import type { Estate } from './estate.js';
import { ask, inShort } from './gate.js';

const REVISION = { collection: 'article_revisions', code: 'AR-0000001' };
const TOOL = { collection: 'dot_tools', code: 'DOT-118' };
const JOBS = `collection_name = 'publishing_jobs' and entity_code = 'PJB-00000`;

/** Births that count by themselves and births that their group represents: changed, born and deleted. */
const CHANGES = `
  update birth_registry set species_code = null where collection_name = '${REVISION.collection}' and entity_code = '${REVISION.code}';
  update birth_registry set dot_origin = 'unheard of' where id = (select min(id) from birth_registry where collection_name = 'orders');
  update birth_registry set dot_origin = 'DOT-213' where ${JOBS}2';
  insert into birth_registry (entity_code, collection_name, species_code, dot_origin, governance_role)
  select entity_code, collection_name, species_code, dot_origin, governance_role from birth_registry where ${JOBS}3';
  insert into birth_registry (entity_code, collection_name) values ('BARE', 'orders'), ('BARE', 'publishing_jobs');
  delete from birth_registry where ${JOBS}4';
  delete from birth_registry where collection_name = '${TOOL.collection}' and entity_code = '${TOOL.code}'`;

/** What the gate says about one object of each kind. */
export const askBoth = async (estate: Estate): Promise<readonly string[]> =>
  Promise.all([REVISION, TOOL].map(async (each) => inShort(await ask(estate, each))));

export const loseChanges = (url: string): Promise<unknown> => asHost(url, CHANGES);

const wide = (change: string) =>
  `update gov_worker_cursor set ${change} where worker = 'intake' and source = 'birth_registry' and round = 'wide'`;

/** By reason: what makes the tail read the whole table again. */
export const FORCED_REBASES = {
  relation_rewritten: 'vacuum full birth_registry',
  cluster_changed: wide(`metadata = metadata || '{"system_identifier": "1"}'`),
  timeline_changed: wide(`metadata = metadata || '{"timeline": "0000000A"}'`),
  horizon_in_future: wide(`horizon = (horizon::text::bigint + 1000000000000)::text::xid8`),
  too_many_rows: `update governance_setting set setting_value = setting_value || '{"rebase_rows": 1}' where setting_key = 'tail.limits'`,
} as const;
