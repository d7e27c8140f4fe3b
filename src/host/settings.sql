-- The words a deployment wants to see instead of the default ones, where the host's constraints are narrower.
insert into governance_setting (setting_key, setting_value, about)
values ('host.mapping', '{}',
  'GCOS word to host word, per kind: {"stream": {"governance.coverage": "alert"}, "lane": {}, "event_severity": {}, "issue_severity": {}}');
