select exists (select from governance_inventory i where i.recompute_needed) as marked
