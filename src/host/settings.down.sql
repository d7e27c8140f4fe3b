delete from governance_setting where setting_key = 'host.mapping';
