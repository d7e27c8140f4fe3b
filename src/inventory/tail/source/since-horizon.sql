(age(b.xmin) <= (select age({{horizon}}::xid8::xid)) and age(b.xmin) >= (select age({{upper}}::xid8::xid)))
