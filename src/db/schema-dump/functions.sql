-- Functions and procedures with their full text, on one line. Aggregates have no text: their signature stands for them.
select
  format('function %I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as object,
  0 as rank,
  format('owner %s; %s', pg_get_userbyid(p.proowner),
    case when p.prokind = 'a' then 'aggregate returning ' || format_type(p.prorettype, null)
      else to_json(pg_get_functiondef(p.oid))::text end) as line
from pg_proc p
where p.pronamespace = to_regnamespace(quote_ident($1::text))
