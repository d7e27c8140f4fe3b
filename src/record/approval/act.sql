-- name: openRow
-- nullable: request_code, :as
select outcome, request_code, login from gcos_open_request(:action::text, :proposed_action::jsonb, :as::text)

-- name: decideRow
-- nullable: status, person_ref, approver_type, verified, :reason, :as
select outcome, status, person_ref, approver_type, login, verified from gcos_decide(:code::text, :decision::text, :reason::text, :as::text)

-- name: withdrawRow
-- nullable: status, person_ref, approver_type, verified, :reason, :as
select outcome, status, person_ref, approver_type, login, verified from gcos_withdraw_request(:code::text, :reason::text, :as::text)
