-- name: analyze
select gcos_analyze_candidates() as tables
