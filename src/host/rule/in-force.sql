-- name: readActiveHash
select r.ruleset_version, r.content_hash
from governance_ruleset r
where r.family = :family::text and r.status = 'active'

-- name: readActiveBytes
select encode(r.canonical_bytes, 'base64') as bytes
from governance_ruleset r
where r.ruleset_version = :version::text
