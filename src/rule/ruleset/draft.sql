-- name: writeDraft
-- nullable: owner, :notes
select ruleset_version, created, status, owner
from gcos_draft_ruleset(:notes::text)

-- name: readOwner
-- nullable: owner
select gcos_ruleset_owner() as owner
