-- Overrides of the default mapping from GCOS's vocabulary to the host's, for hosts with narrower constraints.
insert into {{trust}}.governance_setting (setting_key, setting_value, about)
values ('host.mapping', '{}',
  'maps a word of GCOS to a word of the host, per kind: {"stream": {"governance.coverage": "alert"}, "lane": {}, "event_severity": {}, "issue_severity": {}}');
