-- Nobody rewrites the logs while a round looks at them. Their writers are not held up.
lock table registry_changelog, event_outbox in access share mode
