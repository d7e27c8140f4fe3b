-- What would be asked for, as the approval will have to say it.
select gcos_break_glass_terms($1::text, $2::text, $3::text, $4::text, $5::text, $6::int4) as terms
