-- Finds notifications that have come into the age at which they are removed.
create index concurrently notifications_by_age on notifications (created_at, id);
