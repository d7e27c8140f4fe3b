-- The exact reverse of approvals.sql.
drop table apr_approvals;
drop table approval_requests;
drop table apr_action_types;
