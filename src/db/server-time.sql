-- name: readTime
select clock_timestamp() as at
