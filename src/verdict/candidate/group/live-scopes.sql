select g.scope from governance_group g group by g.scope
