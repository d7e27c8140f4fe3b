-- Whether an exception stands elsewhere at $1 than when somebody last saw to what it concerns.
select exists (
  select
  from governance_exception_standing($1::timestamptz) s
  join governance_exception e on e.exception_code = s.exception_code
  where e.settled_as is distinct from s.standing) as moved
