-- An answer is kept by the transaction that makes its change. A key without one comes from a process that had taken it
-- and not answered yet.
delete from idempotency_keys where status is null or answer is null;
alter table idempotency_keys alter column status set not null, alter column answer set not null;
