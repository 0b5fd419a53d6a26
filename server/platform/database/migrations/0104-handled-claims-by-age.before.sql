-- Finds decided claims that have come into the age at which they are removed.
create index concurrently car_claims_by_age on car_claims (handled_at) where handled_at is not null;
