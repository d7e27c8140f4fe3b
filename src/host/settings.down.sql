delete from {{trust}}.governance_setting where setting_key = 'host.mapping';
