select holder, fence, released, expires_at, expires_at <= clock_timestamp() as expired
from gov_worker_lease
where worker = $1::text and source = $2::text
