insert into evolution_snapshots (snapshot_at, scope, metrics, delta_previous, notes)
values (now(), 'governance.scan', '{"trial": true}', '{}', 'trial write of gcos doctor')
returning true as written
