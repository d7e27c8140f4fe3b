delete from gov_intake_gap where source = $1::text and ($2::bigint[] is null or first_id = any ($2::bigint[]))
