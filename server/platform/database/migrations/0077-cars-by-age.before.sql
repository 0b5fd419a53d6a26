-- Counts the cars listed in a period, also those that were taken down.
create index concurrently cars_by_age on cars (created_at);
