-- Whether the host has a request of this code at all, and for which action.
select r.action_code::text as action_code from approval_requests r where r.code::text = $1::text order by r.id limit 1
