-- use: ../../../inventory/tail/births.sql

-- fragment: key_hash
hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0))

-- name: readKeyHashes
-- The hashes from :low to :high of the keys of the births with ids from :first to :last, each as 16 hex
-- digits. One text: a row for each hash takes ten times as long to transfer.
select coalesce(encode(string_agg(int8send(h.key_hash), ''), 'hex'), '') as hashes
from (
  select {{key_hash}} as key_hash
  from birth_registry b
  where b.id >= :first::bigint and b.id <= :last::bigint and {{keyed}}
  offset 0
) as h
where h.key_hash >= :low::bigint and h.key_hash <= :high::bigint

-- name: countKeys
-- The keys of the births with ids from :first to :last that have one of the hashes :hashes, with their number
-- of births there.
select b.collection_name::text as collection_name, b.entity_code::text as entity_code, count(*) as births
from birth_registry b
where b.id >= :first::bigint and b.id <= :last::bigint and {{key_hash}} = any (:hashes::bigint[]) and {{keyed}}
group by b.collection_name, b.entity_code
