-- name: lockInventory
-- Must be the first statement of the transaction: LOCK takes no snapshot, so later reads include
-- everything the previous holder wrote. The lock does not block readers or writers of the table.
lock table governance_inventory in share update exclusive mode
