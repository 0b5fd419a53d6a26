-- Finds people by the start of their last names, for the administrator.
create index concurrently users_by_last_name on users ((lower(last_name) collate "C")) where deleted_at is null;
