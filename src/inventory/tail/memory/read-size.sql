select (select count(*) from gov_intake_seen s where s.source = $1::text) as seen,
  (select count(*) from gov_intake_gap g where g.source = $1::text) as gaps
