-- name: runSeedReach
select gcos_seed_reach() as written
