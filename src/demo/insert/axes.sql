-- 24 axes and 37 pivots. Every axis belongs to one class, so the tools have none. AX-VENUE-REGION has no
-- owner. PVT-036 groups comments by `sentiment` and PVT-037 venues by `capacity`; no axis declares either.
insert into axis_registry (axis_code, axis_family, object_class, name, description, owner_gov_code, created_at)
select
  'AX-' || upper(replace(object_class, '_', '-') || '-' || family collate "C"), family, object_class,
  initcap(family collate "C") || ' of ' || replace(object_class, '_', ' '),
  'Groups ' || replace(object_class, '_', ' ') || ' objects by ' || family,
  nullif(owner, 'nobody'),
  timestamptz '2026-02-16 12:00:00+00' + ordinal * interval '1 minute'
from (values
  (1, 'article', 'topic', 'GOV-CONTENT'), (2, 'article', 'language', 'GOV-CONTENT'),
  (3, 'article_revision', 'topic', 'GOV-CONTENT'), (4, 'media_file', 'format', 'GOV-CONTENT'),
  (5, 'comment', 'language', 'GOV-CONTENT'), (6, 'page', 'section', 'GOV-MOUT'),
  (7, 'page_block', 'section', 'GOV-MOUT'), (8, 'translation', 'language', 'GOV-CONTENT'),
  (9, 'document', 'term', 'GOV-KG-SYS'), (10, 'contract', 'term', 'GOV-TRADE'),
  (11, 'invoice', 'period', 'GOV-TRADE'), (12, 'payment', 'channel', 'GOV-TRADE'),
  (13, 'order', 'channel', 'GOV-TRADE'), (14, 'product', 'category', 'GOV-TRADE'),
  (15, 'product', 'season', 'GOV-TRADE'), (16, 'customer', 'segment', 'GOV-TRADE'),
  (17, 'supplier', 'region', 'GOV-TRADE'), (18, 'employee', 'department', 'GOV-SIV'),
  (19, 'task', 'priority', 'GOV-SIV'), (20, 'ticket', 'priority', 'GOV-SIV'),
  (21, 'course', 'audience', 'GOV-KG-SYS'), (22, 'information_unit', 'topic', 'GOV-IU'),
  (23, 'booking', 'channel', 'GOV-TRADE'), (24, 'venue', 'region', 'nobody')
) as axis (ordinal, object_class, family, owner);

insert into pivot_definitions (code, name, object_class, source_collection, group_spec)
select
  'PVT-' || lpad(ordinal::text, 3, '0'),
  initcap(replace(collection_name, '_', ' ') collate "C") || ' by ' || array_to_string(families, ' and '),
  object_class, collection_name, jsonb_build_object('dims', to_jsonb(families), 'measure', 'count')
from (
  select row_number() over (order by a.axis_code collate "C") as ordinal, a.object_class, c.collection_name,
    array[a.axis_family] as families
  from axis_registry a
  join pg_temp.estate_collection c using (object_class)
  union all
  values
    (25, 'article', 'articles', array['topic', 'language']), (26, 'product', 'products', array['category', 'season']),
    (27, 'campaign', 'campaigns', array['channel']), (28, 'newsletter', 'newsletters', array['channel']),
    (29, 'project', 'projects', array['department']), (30, 'lesson', 'lessons', array['audience']),
    (31, 'price_list', 'price_lists', array['season']), (32, 'tag', 'tags', array['language']),
    (33, 'category', 'categories', array['language']), (34, 'order_line', 'order_lines', array['channel']),
    (35, 'invoice_line', 'invoice_lines', array['period']), (36, 'comment', 'comments', array['language', 'sentiment']),
    (37, 'venue', 'venues', array['capacity'])
) as pivot (ordinal, object_class, collection_name, families);
