-- Settings of scans.
insert into governance_setting (setting_key, setting_value, about)
values
  ('scan.pace', '{"debounce_ms": 1000, "at_once": 500, "full_share": 0.2, "storm_at_once": 50}',
    'how long an event scan waits after a mark, how many inventory groups one transaction evaluates, from which share of waiting groups on all of them are evaluated at once, and how many a run evaluates in a storm'),
  ('scan.risk', '{"write_high": 8, "write_low": 4, "read": 2, "descriptive": 1}',
    'the weight of one second of waiting per risk class: scans take groups in order of weight times time'),
  ('scan.lag', '{"seconds": 900, "groups": 1000}',
    'how long a mark may wait, and how many groups may, before `candidate_scan_lag` is raised');
