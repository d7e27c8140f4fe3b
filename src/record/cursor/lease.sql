-- name: renewLease
-- nullable: expires_at
select gcos_renew_lease(:worker::text, :source::text, :fence::int8, make_interval(secs => :ttl_seconds::float8)) as expires_at,
  set_config('application_name', :tag::text, true) as tag

-- name: releaseLease
select coalesce(gcos_release_lease(:worker::text, :source::text, :fence::int8), false) as released

-- name: readLeaseRow
select holder, fence, released, expires_at, not gcos_lease_is_held(false, expires_at) as expired
from gov_worker_lease
where worker = :worker::text and source = :source::text
