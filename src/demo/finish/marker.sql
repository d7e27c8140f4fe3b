-- Sequences continue after the explicit ids. A later build recognises the estate by the comment.
select
  setval(pg_get_serial_sequence('birth_registry', 'id'), (select max(id) from birth_registry)),
  setval(pg_get_serial_sequence('registry_changelog', 'id'), (select max(id) from registry_changelog)),
  setval(pg_get_serial_sequence('evolution_snapshots', 'id'), (select max(id) from evolution_snapshots)),
  setval(pg_get_serial_sequence('system_issues', 'id'), (select max(id) from system_issues)),
  setval(pg_get_serial_sequence('governance_object_ownership', 'id'), (select max(id) from governance_object_ownership)),
  setval(pg_get_serial_sequence('approval_requests', 'id'), (select max(id) from approval_requests)),
  setval(pg_get_serial_sequence('apr_approvals', 'id'), (select max(id) from apr_approvals));

comment on table birth_registry is :marker;
