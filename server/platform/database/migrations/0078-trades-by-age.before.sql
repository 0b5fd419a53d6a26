-- Counts the trades submitted in a period, also deleted ones.
create index concurrently trades_by_age on trades (created_at);
