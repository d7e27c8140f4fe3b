-- What would be asked for: null where nothing of the subject is relevant in the scope.
select case when f.fingerprint is not null then
    gcos_exception_terms($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::timestamptz, f.fingerprint)
  end as terms
from (
  select gcos_exception_fingerprint($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text) as fingerprint
) as f
