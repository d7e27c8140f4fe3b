-- What a hash depends on besides the rows. The byte order shows in the hash of a text: $1 is what a little-endian server says.
select current_setting('server_version_num')::int4 as version_num,
  pg_encoding_to_char(d.encoding)::text as encoding,
  case when hashtextextended('gcos' collate "C", 1) = $1::bigint then 'little' else 'big' end as endianness
from pg_database d
where d.datname = current_database()
