-- name: readPulse
-- What the duties of a worker wait for: gcos_pulse() says what each column means. Runs without a transaction
-- around it, so the function's name is qualified.
-- nullable: changes, births, dirty, signals, undelivered, feed
-- part trust: gcos_trust
select p.snapshot, p.leases, p.changes, p.births, p.dirty, p.signals, p.undelivered, p.request, p.feed
from {{trust}}.gcos_pulse(:known::text) as p

-- name: requestRound
-- Asks the intake for a wide round.
select gcos_request_round() as request
