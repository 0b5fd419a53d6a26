-- Marks the same VIN of two owners in the wholesalers' list.
create index concurrently trades_by_vin on trades (vin) where deleted_at is null;
