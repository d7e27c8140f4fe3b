-- The coverage profiles. No profile matches `glossary_term`. `tag` and `department` need no link in any
-- scope.
insert into coverage_profile (
  profile_code, class_pattern, risk_class, ttl, class_0, inherits, primary_axis_family, required_links)
select
  'PRF-' || lpad(ordinal::text, 3, '0'), class_pattern, risk_class,
  case risk_class
    when 'write_high' then interval '1 day' when 'write_low' then interval '7 days'
    when 'read' then interval '30 days' else interval '90 days'
  end,
  kind = 'private', kind <> 'member', axis_family, links::jsonb
from (values
  -- Every member is counted.
  (1, 'dot_tool', 'write_high', 'member', null,
    '{"policy":["owner","law_ref"],"health":["owner","heartbeat"],"execution":["owner","dot_authority","rollback"],
      "approval":["owner","approval"],"audit":["owner","audit"]}'),
  (2, 'route', 'write_high', 'member', null,
    '{"execution":["owner","dot_authority","rollback","issue_event"],"approval":["owner","approval"],"audit":["owner","audit"]}'),
  (3, 'policy', 'write_high', 'member', null,
    '{"policy":["owner","law_ref"],"approval":["owner","approval"],"audit":["owner","audit"]}'),
  (4, 'rule', 'write_high', 'member', null, '{"policy":["owner","law_ref"]}'),
  (5, 'exception', 'write_high', 'member', null, '{"approval":["owner","approval"]}'),
  (6, 'axis', 'write_low', 'member', null, '{"policy":["owner"],"render":["owner"]}'),
  (7, 'law', 'descriptive', 'member', null, '{"policy":["owner"],"audit":["owner"]}'),
  (8, 'law_family', 'descriptive', 'member', null, '{"policy":["owner"]}'),
  (9, 'governance_doc', 'descriptive', 'member', null, '{"policy":["owner"]}'),
  (10, 'jurisdiction', 'descriptive', 'member', null, '{"policy":["owner"]}'),
  (11, 'event_type', 'read', 'member', null, '{"policy":["owner"],"audit":["owner"]}'),
  (12, 'measurement', 'read', 'member', null, '{"health":["owner"],"audit":["owner"]}'),
  (13, 'pivot', 'read', 'member', null, '{"render":["owner"]}'),
  (14, 'table', 'read', 'member', null, '{"render":["owner"]}'),
  (15, 'binding', 'read', 'member', null, '{"render":["owner"]}'),
  (16, 'derived_object', 'read', 'member', null, '{"health":["owner"]}'),
  (17, 'agency', 'descriptive', 'member', null, '{"policy":["owner"]}'),
  (18, 'information_unit', 'write_low', 'member', 'topic', '{"policy":["owner","law_ref","design_ref"],"render":["owner"]}'),
  (19, 'device', 'write_high', 'member', null, '{"execution":["owner"],"audit":["owner","audit"]}'),
  (20, 'publishing_job', 'write_high', 'member', null, '{"execution":["owner","dot_authority"],"audit":["owner"]}'),
  -- The container represents its members.
  (21, 'article%', 'write_low', 'container', 'topic',
    '{"policy":["owner","law_ref"],"health":["owner"],"execution":["owner","rollback"],"render":["owner"],
      "approval":["owner","approval"],"audit":["owner","audit"]}'),
  (22, 'media_file', 'read', 'container', 'format', '{"policy":["owner"],"health":["owner"],"render":["owner"],"audit":["owner","audit"]}'),
  (23, 'comment', 'read', 'container', 'language', '{"policy":["owner"],"health":["owner"],"audit":["owner"]}'),
  (24, 'page%', 'write_low', 'container', 'section', '{"policy":["owner"],"render":["owner"],"approval":["owner","approval"]}'),
  (25, 'translation', 'read', 'container', 'language', '{"policy":["owner"],"render":["owner"]}'),
  (26, 'category', 'descriptive', 'container', null, '{"policy":["owner"]}'),
  (27, 'tag', 'descriptive', 'container', null, '{}'),
  (28, 'document', 'write_low', 'container', 'term', '{"policy":["owner","law_ref"],"audit":["owner","audit"]}'),
  (29, 'dossier', 'write_low', 'container', 'term', '{"policy":["owner","law_ref"],"audit":["owner","audit"]}'),
  (30, 'contract%', 'write_high', 'container', 'term',
    '{"policy":["owner","law_ref"],"execution":["owner","rollback"],"approval":["owner","approval"],"audit":["owner","audit"]}'),
  (31, 'invoice%', 'write_high', 'container', 'period',
    '{"policy":["owner","law_ref"],"execution":["owner","rollback"],"approval":["owner","approval"],"audit":["owner","audit"]}'),
  (32, 'payment', 'write_high', 'container', 'channel',
    '{"policy":["owner","law_ref"],"execution":["owner","rollback"],"approval":["owner","approval"],"audit":["owner","audit"]}'),
  (33, 'order%', 'write_low', 'container', 'channel', '{"policy":["owner"],"execution":["owner","rollback"],"audit":["owner","audit"]}'),
  (34, 'product%', 'write_low', 'container', 'category', '{"policy":["owner"],"render":["owner"],"audit":["owner"]}'),
  (35, 'price_list', 'write_high', 'container', null, '{"policy":["owner"],"approval":["owner","approval"]}'),
  (36, 'customer%', 'write_low', 'container', 'segment', '{"policy":["owner","law_ref"],"audit":["owner","audit"]}'),
  (37, 'supplier%', 'read', 'container', 'region', '{"policy":["owner"]}'),
  (38, 'employee', 'write_low', 'container', 'department', '{"policy":["owner","law_ref"],"approval":["owner"],"audit":["owner","audit"]}'),
  (39, 'department', 'descriptive', 'container', null, '{}'),
  (40, 'project', 'read', 'container', null, '{"health":["owner"]}'),
  (41, 'task', 'read', 'container', 'priority', '{"health":["owner"]}'),
  (42, 'ticket%', 'read', 'container', 'priority', '{"health":["owner"],"execution":["owner"]}'),
  (43, 'campaign', 'read', 'container', null, '{"policy":["owner"],"render":["owner"]}'),
  (44, 'newsletter', 'read', 'container', null, '{"policy":["owner"],"render":["owner"]}'),
  (45, 'venue', 'read', 'container', 'region', '{"policy":["owner"],"health":["owner"]}'),
  (46, 'booking', 'write_low', 'container', 'channel', '{"policy":["owner"],"execution":["owner"],"audit":["owner"]}'),
  (47, 'course', 'descriptive', 'container', 'audience', '{"policy":["owner","design_ref"]}'),
  (48, 'lesson', 'descriptive', 'container', 'audience', '{"policy":["owner"]}'),
  (49, 'lab%', 'write_low', 'container', null, '{"policy":["owner"],"approval":["owner","approval"],"audit":["owner"]}'),
  (50, 'partner%', 'write_low', 'container', null, '{"policy":["owner"],"health":["owner"]}'),
  -- Private: not governed unless a shared object refers to it.
  (51, 'saved_view', 'descriptive', 'private', null, '{}'),
  (52, 'user_draft', 'descriptive', 'private', null, '{}'),
  -- GCOS's own tables.
  (53, 'governance_record', 'write_low', 'member', null,
    '{"policy":["owner"],"health":["owner"],"execution":["owner","rollback"],"render":["owner"],"approval":["owner","approval"],"audit":["owner","audit"]}')
) as profile (ordinal, class_pattern, risk_class, kind, axis_family, links);
