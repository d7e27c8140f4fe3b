select r.ruleset_version, r.content_hash, encode(r.canonical_bytes, 'base64') as bytes
from governance_ruleset r
where r.ruleset_version = any ($1::text[])
