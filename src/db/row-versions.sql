select {{name}}::text as name,
  concat_ws(':', count(*), sum(hashtextextended(t.xmin::text, hashtidextended(t.ctid, 4703202606014703)))) as rows
from {{table}} t
