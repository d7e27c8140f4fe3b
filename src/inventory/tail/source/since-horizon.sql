age(b.xmin) between age({{upper}}::xid8::xid) and age({{horizon}}::xid8::xid)
