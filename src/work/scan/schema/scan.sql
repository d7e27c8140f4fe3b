-- How scans go about their work.
insert into governance_setting (setting_key, setting_value, about)
values
  ('scan.pace', '{"debounce_ms": 1000, "at_once": 500, "full_share": 0.2}',
    'how long a mark rests before an event scan takes it up, how many inventory groups one transaction takes, and from which share of dirty groups on everything is looked at at once'),
  ('scan.risk', '{"write_high": 8, "write_low": 4, "read": 2, "descriptive": 1}',
    'what a second of not knowing counts per risk class: what waits is taken up in the order of risk times time'),
  ('scan.lag', '{"seconds": 900, "groups": 1000}',
    'how long a mark may wait, and how many groups may, before `candidate_scan_lag` is raised');
