select created, status, owner
from gcos_draft_ruleset($1::text, $2::text, $3::text, $4::jsonb, $5::text, $6::text, $7::text)
