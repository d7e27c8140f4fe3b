-- name: carry
select f.groups_carried, f.groups_dirtied, f.groups_reused, f.objects_carried, f.objects_dirtied, f.objects_reused
from gcos_carry_forward(:from::text, :to::text, :reached::text[], :known::text[], :group_hashes::text[], :basis_hashes::text[], :at::timestamptz, :run_id::text) as f
