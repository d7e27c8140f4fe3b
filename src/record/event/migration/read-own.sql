-- What of the schema is there already: a first installation has none of it.
select to_regclass('governance_setting') is not null as settings, to_regclass('governance_signal_type') is not null as types
