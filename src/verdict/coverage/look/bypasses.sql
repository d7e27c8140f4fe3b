-- Changes by an action of $1 to something of a class of $2, which nobody has dealt with: all of them, or, given $3, the last ones noted and
-- those with the ids $3, by the key of the log.
select l.id::bigint as id, l.entity_type::text as entity_type, l.entity_code::text as entity_code, l.action::text as action
from registry_changelog l
where l.action = any ($1::text[]) and l.entity_type = any ($2::text[]) and l.resolved is not true
  and ($3::bigint[] is null or l.id > (select max(m.id) from registry_changelog m) - 2000 or l.id = any ($3::bigint[]))
order by l.id
