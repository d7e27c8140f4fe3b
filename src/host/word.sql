-- name: readHasSettings
-- Whether GCOS's settings exist: not before the first installation.
select to_regclass('governance_setting') is not null as has_settings
