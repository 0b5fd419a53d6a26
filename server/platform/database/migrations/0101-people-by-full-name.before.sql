-- Finds people by the start of their full names, for the administrator.
create index concurrently users_by_full_name on users ((lower(first_name || ' ' || last_name) collate "C")) where deleted_at is null;
