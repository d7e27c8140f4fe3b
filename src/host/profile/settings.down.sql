delete from {{trust}}.governance_setting where setting_key in ('verdict.collection_decisions', 'lifecycle.terminal', 'lifecycle.columns');
