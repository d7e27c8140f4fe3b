select gcos_ruleset_owner() as owner
