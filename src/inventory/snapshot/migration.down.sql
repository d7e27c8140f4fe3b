delete from governance_setting where setting_key in ('snapshot.keep', 'inventory.count_tolerance');
drop function gcos_prune_snapshots(integer, text, jsonb);
drop function gcos_append_snapshot(text, timestamptz, jsonb, jsonb, text);
drop view v_governance_snapshot_in_use;
drop table governance_inventory_snapshot;
drop function gcos_fingerprint(bigint, bigint, numeric, numeric);
drop function gcos_hash_id(bigint, bigint);
drop function gcos_hash_id(integer, bigint);
drop function gcos_hash_id(smallint, bigint);
