delete from {{trust}}.governance_setting where setting_key in ('snapshot.keep', 'inventory.count_tolerance');
drop function {{trust}}.gcos_prune_snapshots(integer, text, jsonb);
drop function {{trust}}.gcos_append_snapshot(text, jsonb, jsonb, text);
drop view {{schema}}.v_governance_snapshot_in_use;
drop table {{schema}}.governance_inventory_snapshot;
drop function {{trust}}.gcos_fingerprint(bigint, bigint, numeric, numeric);
drop function {{trust}}.gcos_hash_id(bigint, bigint);
drop function {{trust}}.gcos_hash_id(integer, bigint);
drop function {{trust}}.gcos_hash_id(smallint, bigint);
