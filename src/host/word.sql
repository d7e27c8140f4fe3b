-- name: readHasSettings
-- Whether GCOS's settings exist: not before the first installation. A table of the host with that name is not
-- GCOS's, and must not give words a meaning.
select exists (
  select from pg_class c
  where c.oid = to_regclass('governance_setting') and c.relnamespace is distinct from to_regnamespace(quote_ident(:schema::text))) as has_settings

-- name: readStoredWords
-- The words that functions of the database write. Null: the host allowed none when init or upgrade looked.
-- nullable: host_word
select w.kind, w.word, gcos_host_word(w.kind, w.word) as host_word
from governance_host_word w
