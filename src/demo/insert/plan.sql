-- Temporary tables that the other inserts read: the 168 registered collections with their class and coverage
-- decision, the bulk strains, the member registries at this size, and the tables of GCOS that are governed
-- themselves. They are dropped at the end of the transaction.
create temporary table pg_temp.estate_collection on commit drop as
select
  (row_number() over (order by decision.ordinal, entry.ordinal))::integer as ordinal,
  split_part(entry.pair, '/', 1) as collection_name,
  -- A name without a class is a collection without a catalogue row.
  nullif(split_part(entry.pair, '/', 2), '') as object_class,
  decision.role, decision.coverage_status, decision.scope_status, decision.reason
from (values
  (1, 'law_artifact', 'BIRTH_REQUIRED', 'IN_SCOPE', null,
    'normative_registry/law law_catalog/law_family governance_docs/governance_doc law_jurisdiction/jurisdiction'),
  (2, 'locked', 'BIRTH_REQUIRED', 'IN_SCOPE', null,
    'governance_registry/agency measurement_registry/measurement universal_rule_registry/rule'),
  (3, 'governed', 'BIRTH_REQUIRED', 'IN_SCOPE', null,
    'dot_tools/dot_tool information_unit/information_unit axis_registry/axis pivot_definitions/pivot
     event_type_registry/event_type derived_objects_registry/derived_object route_registry/route
     policy_registry/policy exception_registry/exception table_registry/table binding_registry/binding
     articles/article article_revisions/article_revision contracts/contract invoices/invoice payments/payment
     orders/order products/product devices/device publishing_jobs/publishing_job employees/employee'),
  (4, 'observed', 'BIRTH_REQUIRED', 'IN_SCOPE', null,
    'media_files/media_file comments/comment pages/page page_blocks/page_block categories/category tags/tag
     translations/translation documents/document invoice_lines/invoice_line order_lines/order_line
     product_variants/product_variant price_lists/price_list customers/customer
     customer_addresses/customer_address suppliers/supplier departments/department projects/project tasks/task
     tickets/ticket ticket_messages/ticket_message campaigns/campaign newsletters/newsletter venues/venue
     bookings/booking courses/course lessons/lesson lab_experiments/lab_experiment lab_results/lab_result
     lab_models/lab_model field_notes/ partner_feed_items/partner_feed_item saved_views/saved_view
     user_drafts/user_draft glossary_terms/glossary_term
     supplier_ratings/supplier_rating risk_entries/risk_entry audit_plans/audit_plan
     training_plans/training_plan service_levels/service_level retention_rules/retention_rule
     data_contracts/data_contract incident_reports/incident_report change_calendars/change_calendar
     vendor_reviews/vendor_review release_notes/release_note capacity_plans/capacity_plan'),
  (5, 'excluded', 'BIRTH_DEFERRED_NEEDS_REVIEW', 'USER_EXCLUDED', 'private to its user',
    'personal_notes/personal_note bookmarks/bookmark chat_drafts/chat_draft ui_themes/ui_theme
     browser_tabs/browser_tab clipboards/clipboard color_labels/color_label custom_filters/custom_filter
     daily_plans/daily_plan dismissed_hints/dismissed_hint editor_layouts/editor_layout
     favourite_lists/favourite_list focus_timers/focus_timer hidden_columns/hidden_column
     keyboard_maps/keyboard_map mood_entries/mood_entry muted_threads/muted_thread
     notification_rules/notification_rule onboarding_steps/onboarding_step personal_goals/personal_goal
     pinned_items/pinned_item quick_replies/quick_reply reading_lists/reading_list
     recent_searches/recent_search reminder_items/reminder_item saved_queries/saved_query
     scratch_pads/scratch_pad sidebar_states/sidebar_state snippet_items/snippet_item
     typing_drafts/ wish_lists/wish_list'),
  (6, 'observed', 'BIRTH_DEFERRED_NEEDS_REVIEW', 'FUTURE_SCOPE', 'planned for a later phase',
    'ml_features/ml_feature iot_telemetry/telemetry_point ar_scenes/ar_scene bot_dialogues/bot_dialogue
     carbon_reports/carbon_report digital_twins/digital_twin drone_flights/drone_flight
     edge_nodes/edge_node fleet_routes/fleet_route genome_maps/genome_map loyalty_points/loyalty_point
     market_signals/market_signal model_cards/model_card robot_missions/robot_mission
     smart_meters/smart_meter voice_samples/voice_sample wallet_passes/wallet_pass'),
  (7, 'observed', 'BIRTH_DEFERRED_NEEDS_REVIEW', 'ORPHAN_REGISTRY', 'nobody answers for this registry',
    'legacy_catalog/legacy_item old_taxonomy/ ghost_forms/ghost_form lost_ledger/
     stray_uploads/stray_upload unknown_lists/unknown_list zombie_queue/zombie_entry'),
  (8, 'observed', 'BIRTH_DEFERRED_NEEDS_REVIEW', 'IN_SCOPE', 'waits for a decision',
    'imported_contacts/imported_contact partner_catalog/partner_item partner_prices/partner_price'),
  (9, 'excluded', 'BIRTH_EXEMPT_STRUCTURAL_JUNCTION', 'IN_SCOPE', 'junction between two collections',
    'articles_tags/article_tag articles_categories/article_category articles_media/article_media
     campaigns_segments/campaign_segment contracts_parties/contract_party courses_lessons/course_lesson
     customers_groups/customer_group devices_locations/device_location documents_tags/document_tag
     employees_roles/employee_role events_venues/event_venue orders_products/order_product
     pages_blocks/page_block_link policies_laws/policy_law products_categories/product_category
     products_media/product_media projects_members/project_member routes_tools/route_tool
     tasks_labels/task_label tickets_labels/ticket_label'),
  (10, 'excluded', 'BIRTH_EXEMPT_SYSTEM_LOG_OR_AUDIT', 'IN_SCOPE', 'log or audit table',
    'system_issues/issue job_history/job_run registry_changelog/change event_outbox/event
     event_pending/pending_event event_read/read_receipt evolution_snapshots/evolution_snapshot
     login_audit/login_record mail_log/mail_record queue_heartbeat/heartbeat request_log/request_record
     search_log/search_record'),
  (11, 'excluded', 'BIRTH_EXEMPT_DERIVED_CACHE', 'IN_SCOPE', 'recomputed from other collections',
    'search_index_cache/search_entry article_rollups/article_rollup dashboard_cache/dashboard_tile
     sitemap_cache/sitemap_entry')
) as decision (ordinal, role, coverage_status, scope_status, reason, pairs)
cross join lateral regexp_split_to_table(decision.pairs, '\s+') with ordinality as entry (pair, ordinal);

create temporary table pg_temp.estate_strain on commit drop as
select
  strain.ordinal, strain.collection as collection_name, 'SP-' || upper(strain.species collate "C") as species_code,
  strain.prefix, coalesce(strain.base, 0) as base, coalesce(strain.width, 6) as width, strain.origin,
  strain.status, coalesce(strain.ages, false) as ages, strain.size, strain."firstSlot" as first_slot,
  c.role, c.object_class,
  (array['atom', 'molecule', 'compound', 'assembly'])[1 + strain.ordinal % 4] as composition_level
from rows from (
  jsonb_to_recordset(:strains::jsonb) as (
    collection text, species text, prefix text, base integer, width integer, origin text, status text,
    ages boolean, size bigint, "firstSlot" bigint)
) with ordinality as strain (
  collection, species, prefix, base, width, origin, status, ages, size, "firstSlot", ordinal)
left join pg_temp.estate_collection c on c.collection_name = strain.collection;

create temporary table pg_temp.estate_registry on commit drop as
select
  registry.ordinal, registry.collection as collection_name, 'SP-' || upper(registry.species collate "C") as species_code,
  registry.members, registry."neverBorn" as never_born, registry.certified
from rows from (
  jsonb_to_recordset(:registries::jsonb) as (
    collection text, species text, members integer, "neverBorn" text[], certified boolean)
) with ordinality as registry (collection, species, members, "neverBorn", certified, ordinal);

create temporary table pg_temp.estate_record on commit drop as
select record.table_name, record.about
from (values
  ('candidate_scan_run', 'runs of scans and backfills'),
  ('gov_backfill_partial', 'batches of a backfill'),
  ('gov_worker_cursor', 'cursors of workers'),
  ('governance_candidate_object', 'verdicts of objects'),
  ('governance_candidate_state', 'verdicts of groups'),
  ('governance_exception', 'exceptions'),
  ('governance_finding_key', 'keys of findings'),
  ('governance_gate_answer', 'answers of the gate'),
  ('governance_group', 'group keys'),
  ('governance_inventory', 'inventory groups'),
  ('governance_ruleset', 'rulesets')
) as record (table_name, about);

analyze pg_temp.estate_collection;
analyze pg_temp.estate_strain;
analyze pg_temp.estate_registry;
