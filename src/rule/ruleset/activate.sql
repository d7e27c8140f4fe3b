-- name: activate
-- nullable: superseded, activated_at, person_ref, verified, :expected_active, :as
select outcome, superseded, activated_at, person_ref, verified, login
from gcos_activate_ruleset(:version::text, :plan_hash::text, :approval_ref::text, :expected_active::text, :as::text, :alert_level::text)
