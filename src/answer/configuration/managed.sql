-- name: readManaged
-- Every row that gcos.yaml manages, and those wanted now, with the content at the last application and now.
-- nullable: applied, content
with wanted as (
  select w.kind, w.managed_key from unnest(:kinds::text[], :keys::text[]) as w(kind, managed_key)
  union
  select m.kind, m.managed_key from governance_managed m
),
listed as (
  select array_agg(w.kind) as kinds, array_agg(w.managed_key) as keys from wanted w
)
select c.kind, c.managed_key, m.content::text as applied, c.content::text as content
from listed l
cross join lateral gcos_managed_content(l.kinds, l.keys) c
left join governance_managed m on m.kind = c.kind and m.managed_key = c.managed_key
order by c.kind collate "C", c.managed_key collate "C"

-- name: readManages
-- Whether GCOS added the registry of bodies to this host, whether this is a home, which sources fill, and
-- whether an earlier application wrote what contracts and patterns say.
select exists (select from gcos_migration m where m.kind = 'with' and m.name in ('ownership', 'host')) as bodies,
  to_regclass('gcos_source') is not null as home,
  exists (select from governance_managed m where m.kind = 'setting' and m.managed_key = 'source.links') as links

-- name: manage
select gcos_manage(:kinds::text[], :keys::text[]) as changed

-- name: writeBodies
insert into governance_registry as b (code, name, status)
select w.code, w.name, 'active'
from unnest(:codes::text[], :names::text[]) as w(code, name)
on conflict (code) do update set name = excluded.name, status = 'active'
where (b.name, b.status) is distinct from (excluded.name, 'active')
returning b.code
