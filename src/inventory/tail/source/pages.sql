and b.ctid >= ('(' || {{first}}::bigint || ',0)')::tid and b.ctid < ('(' || {{last}}::bigint + 1 || ',0)')::tid
