-- Takes back exactly what approvals.sql adds.
drop table apr_approvals;
drop table approval_requests;
drop table apr_action_types;
