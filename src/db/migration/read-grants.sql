-- What GCOS granted its roles at init and upgrade, as far as the relation still exists (relation '': the schema).
select g.relation, g.grantee, g.privilege
from gcos_grant g
where g.relation = '' or to_regclass(format('%I.%I', $1::text, g.relation)) is not null
order by g.relation, g.privilege, g.grantee
