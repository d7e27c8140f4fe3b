-- name: activate
-- nullable: detail, superseded, activated_at, person_ref, verified, :as
-- nullable: groups_carried, groups_dirtied, objects_carried, objects_dirtied, findings_stamped, finished
select outcome, detail, superseded, activated_at, person_ref, verified, login, groups_carried, groups_dirtied, objects_carried,
  objects_dirtied, findings_stamped, finished
from gcos_activate_ruleset(:version::text, :approval_ref::text, :as::text)

-- name: continueActivation
-- Carries further verdicts for the activation that this transaction has begun.
select finished, groups_carried, groups_dirtied, objects_carried, objects_dirtied, findings_stamped
from gcos_continue_activation()
