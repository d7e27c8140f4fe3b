-- name: lockInventory
-- Before anything else in the transaction: LOCK takes no snapshot, so what is read afterwards includes all
-- that the holder before wrote. Readers and writers of the table are not held up.
lock table governance_inventory in share update exclusive mode
