-- name: writeDraft
-- nullable: owner, :notes
select created, status, owner
from gcos_draft_ruleset(:version::text, :hash::text, :canonical::text, :components::jsonb, :family::text, :notes::text, :alert_level::text)

-- name: readOwner
-- nullable: owner
select gcos_ruleset_owner() as owner
