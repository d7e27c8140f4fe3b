-- name: renewLease
-- Runs without a transaction around it, so names are qualified.
-- nullable: expires_at
-- part trust: gcos_trust
select {{trust}}.gcos_renew_lease(:worker::text, :source::text, :fence::int8,
    pg_catalog.make_interval(secs => :ttl_seconds::float8)) as expires_at,
  pg_catalog.set_config('application_name', :tag::text, true) as tag

-- name: releaseLease
select coalesce(gcos_release_lease(:worker::text, :source::text, :fence::int8), false) as released

-- name: readLeaseRow
select holder, fence, released, expires_at, not gcos_lease_is_held(false, expires_at) as expired
from gov_worker_lease
where worker = :worker::text and source = :source::text
