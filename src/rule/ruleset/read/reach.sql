select r.rule_kind, r.rule_code, r.scope, r.axis_family, r.source_registry
from governance_rule_reach r
order by r.rule_kind collate "C", r.rule_code collate "C", r.scope collate "C", r.axis_family collate "C",
  r.source_registry collate "C"
