-- One proposal at a time, so that two of the same do not both find none that is pending.
select pg_advisory_xact_lock(hashtextextended('gcos remediation', hashtextextended(current_schema(), 0)))::text as locked
