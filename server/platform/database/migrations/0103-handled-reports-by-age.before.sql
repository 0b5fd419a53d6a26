-- Finds decided reports that have come into the age at which they are removed.
create index concurrently message_reports_by_age on message_reports (handled_at) where handled_at is not null;
