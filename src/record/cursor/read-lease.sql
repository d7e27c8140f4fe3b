select holder, fence, released, expires_at
from gov_worker_lease
where worker = $1::text and source = $2::text
