-- name: quarantineRows
-- nullable: unknown_collection, unknown_code, person_ref, verified, :reason, :as
select outcome, unknown_collection, unknown_code, changed, person_ref, login, verified
from gcos_input_quarantine(:collections::text[], :codes::text[], :reason::text, :as::text)

-- name: releaseRows
-- nullable: unknown_collection, unknown_code, person_ref, verified, :reason, :as
select outcome, unknown_collection, unknown_code, changed, person_ref, login, verified
from gcos_input_release(:collections::text[], :codes::text[], :reason::text, :as::text)

-- name: trustRow
-- nullable: before, person_ref, verified, :reason, :as
select outcome, before, changed, person_ref, login, verified
from gcos_input_trust(:kind::text, :source::text, :scope::text, :level::text, :reason::text, :as::text)
