select count(*) as groups from governance_inventory i where coalesce(i.member_count, 1) > 0
