delete from governance_setting where setting_key = 'snapshot.keep';
drop function gcos_prune_snapshots(integer, text);
drop function gcos_append_snapshot(text, timestamptz, jsonb, jsonb, text);
drop view v_governance_snapshot_in_use;
drop table governance_inventory_snapshot;
drop function gcos_fingerprint(bigint, bigint, numeric, numeric);
drop function gcos_hash_id(bigint, bigint);
drop function gcos_hash_id(integer, bigint);
drop function gcos_hash_id(smallint, bigint);
