-- 47 laws, 5 families, 12 governance documents, 43 jurisdictions. LAW-41 to LAW-44, LAW-46 and LAW-47 have no
-- jurisdiction; measurements use the last two of them.
insert into normative_registry (law_code, title, version, body, enacted_at, status)
select
  'LAW-' || lpad(ordinal::text, 2, '0'),
  title,
  1 + (ordinal % 3)::integer,
  'Article ' || ordinal || '. ' || title || ': whoever changes what this article governs names its owner, its '
    || 'approval and the way back. Revision ' || (1 + ordinal % 3) || '.',
  case when ordinal not in (44, 47) then timestamptz '2025-09-01 08:00:00+00' + ordinal * interval '3 days' end,
  case when ordinal in (44, 47) then 'draft' when ordinal = 13 then 'superseded' else 'enacted' end
from unnest(array[
  'Supremacy of registries', 'Naming', 'Species', 'Catalogue of classes', 'Composition', 'One roof',
  'Collections', 'Retention', 'Languages', 'Publication', 'Revisions', 'Media', 'Old numbering', 'Contracts',
  'Invoices', 'Payments', 'Orders', 'Prices', 'Birth', 'Parties', 'Employment', 'Projects', 'Support',
  'Courses', 'Laboratory', 'Devices', 'Junctions', 'Display', 'Bindings', 'Pivots', 'Integrity', 'Approval',
  'Exceptions', 'Delegation', 'Tools', 'Routes', 'Information units', 'Knowledge graph', 'Derived objects',
  'Universal rules', 'Archives', 'Backups', 'Imports', 'Exports', 'Queues', 'Telemetry', 'Classification'
]) with ordinality as law (title, ordinal);

insert into law_catalog (code, title, first_law_code)
values
  ('LC-01', 'Constitution', 'LAW-01'), ('LC-02', 'Content', 'LAW-09'), ('LC-03', 'Trade', 'LAW-14'),
  ('LC-04', 'Operation', 'LAW-28'), ('LC-05', 'Transition', 'LAW-41');

insert into governance_docs (doc_code, title, doc_kind, law_code, revision)
select 'GD-' || lpad(ordinal::text, 3, '0'), title, kind, law_code, (1 + ordinal % 4)::integer
from (values
  (1, 'Registry design', 'design', 'LAW-01'), (2, 'Content design', 'design', 'LAW-10'),
  (3, 'Trade design', 'design', 'LAW-17'), (4, 'Tool design', 'design', 'LAW-35'),
  (5, 'Event design', 'design', 'LAW-45'), (6, 'Axis design', 'design', 'LAW-30'),
  (7, 'Approval procedure', 'procedure', 'LAW-32'), (8, 'Delegation procedure', 'procedure', 'LAW-34'),
  (9, 'Audit procedure', 'procedure', 'LAW-31'), (10, 'Rollback of content', 'runbook', 'LAW-11'),
  (11, 'Rollback of tools', 'runbook', 'LAW-35'), (12, 'Rollback of routes', 'runbook', 'LAW-36')
) as doc (ordinal, title, kind, law_code);

insert into law_jurisdiction (code, law_code, domain, coverage_type)
select
  'LJ-' || lpad((row_number() over (order by law, domain collate "C"))::text, 3, '0'),
  'LAW-' || lpad(law::text, 2, '0'), domain,
  (array['full', 'partial', 'advisory'])[1 + law % 3]
from (
  select law, (array['policy', 'registry', 'content', 'trade', 'health', 'execution', 'render', 'audit'])[1 + law % 8] as domain
  from generate_series(1, 40) as law
  union all
  values (45, 'event'), (19, 'birth'), (32, 'approval')
) as jurisdiction;
