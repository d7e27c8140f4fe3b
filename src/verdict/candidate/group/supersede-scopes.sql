-- Live rows of scopes that are no longer active speak for nobody: they become history. $2 null: all groups.
with gone as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = $3::timestamptz
  where c.row_state in ('active', 'retired') and c.scope <> all ($1::text[])
    and ($2::text[] is null or c.inventory_key = any ($2::text[]))
  returning c.row_id
),
gone_objects as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = $3::timestamptz
  where c.row_state in ('active', 'retired') and c.scope <> all ($1::text[])
    and ($2::text[] is null or c.inventory_key = any ($2::text[]))
  returning c.row_id
)
select (select count(*) from gone) as groups, (select count(*) from gone_objects) as objects
