select old_watermark_at, old_watermark_id, old_horizon
from gcos_reset_cursor($1::text, $2::text, $3::text, $4::int8, $5::text, $6::text, $7::xid8)
