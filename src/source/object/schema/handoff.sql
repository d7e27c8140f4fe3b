-- What the audit rows of a sync mean. New objects are births, which the intake follows by itself.
insert into {{schema}}.governance_handoff_map (source, action, kind, dimensions, dirty_reason, trigger_line, about) values
  ('registry_changelog', 'source_added', null, '{}', null, null, 'a source was added to a home'),
  ('registry_changelog', 'source_configured', null, '{}', null, null, 'a source reads another place from now on'),
  ('registry_changelog', 'source_removed', null, '{}', null, null, 'a source was removed from a home: each object that it listed has a row of its own'),
  ('registry_changelog', 'source_created', null, '{}', null, null, 'a source lists new objects: their births say which'),
  ('registry_changelog', 'source_changed', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:source_changed', 1, 'a source says something else about an object'),
  ('registry_changelog', 'source_gone', 'object_retired', '{object_class,source_registry,lifecycle_status}', 'handoff:object_retired', 1, 'a source no longer lists an object'),
  ('registry_changelog', 'source_renamed', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'handoff:object_changed', 1, 'a source lists an object under another code'),
  ('registry_changelog', 'source_returned', 'object_registered', '{object_class,source_registry,lifecycle_status}', 'handoff:object_registered', 1, 'a source lists an object again');
