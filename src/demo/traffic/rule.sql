-- How long verdicts of these classes hold: longer by $2 hours, or shorter, but never less than an hour.
with edited as (
  update coverage_profile p
  set ttl = greatest(p.ttl + make_interval(hours => n.hours), interval '1 hour')
  from (
    select w.class_pattern, sum(w.hours)::integer as hours
    from unnest($1::text[], $2::int4[]) as w(class_pattern, hours)
    group by w.class_pattern
  ) as n
  where p.class_pattern = n.class_pattern
  returning p.profile_code
)
select count(*) as rows from edited
