-- Groups that the activation of a version has marked.
select c.group_key, c.inventory_key, c.scope
from governance_candidate_state c
where c.ruleset_version = any ($1::text[]) and c.row_state in ('active', 'retired') and c.dirty and c.dirty_reason = 'ruleset_bump'
