select f.groups_carried, f.groups_dirtied, f.groups_reused, f.objects_carried, f.objects_dirtied, f.objects_reused
from gcos_carry_forward($1::text, $2::text, $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz, $8::text) as f
