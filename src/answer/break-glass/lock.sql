-- One asks at a time: who asks for the same a moment later finds what was asked before.
select pg_advisory_xact_lock(hashtextextended('gcos break glass', hashtextextended(current_schema(), 0))) is null as locked
