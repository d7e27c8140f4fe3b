-- Objects and collections that are not accepted, by collection and key. Null filters hold for all; $5 is the last one seen.
select s.subject_key, s.collection_name, s.entity_code, s.input_state, s.cause, s.scopes, s.since, s.relapses, s.quarantined_at,
  s.quarantined_by, s.quarantine_reason, s.pending
from governance_input_state s
left join governance_input_state last on last.subject_key = $5::text
where s.cured_at is null
  and ($1::text is null or s.input_state = $1::text or $1::text = 'quarantined' and s.quarantined_at is not null)
  and ($2::text is null or s.collection_name = $2::text)
  and ($3::text is null or s.entity_code = $3::text)
  and ($5::text is null or (s.collection_name, s.subject_key) > (last.collection_name, last.subject_key))
order by s.collection_name, s.subject_key
limit $4::bigint
