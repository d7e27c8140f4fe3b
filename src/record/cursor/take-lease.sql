select new_fence as fence, new_expiry as expires_at, taken_from
from gcos_take_lease($1::text, $2::text, $3::text, make_interval(secs => $4::float8), $5::text[], $6::text[])
