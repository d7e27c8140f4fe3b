-- name: readTime
select gcos_now() as at
