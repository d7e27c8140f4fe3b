select i.inventory_key from governance_inventory i where i.inventory_key = any ($1::text[])
