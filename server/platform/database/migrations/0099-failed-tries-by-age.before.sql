-- Finds failed tries that have come into the age at which they are removed.
create index concurrently delivery_tries_failed on delivery_tries (at) where because is not null;
