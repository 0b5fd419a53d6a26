-- The ground everything else stands on.

-- Time for anything that matters is the database's; there is no offset to set in production.
-- Tests put another body into their own database.
create function keyturn_now() returns timestamptz language sql stable as $$ select now() $$;

-- One sequence for all rows: a version names one state of one row and is never met again elsewhere.
create sequence row_versions;

-- Rows that are evidence are written once.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation';
end $$;

-- The first answer to a change, replayed when the same intent arrives again (contract, Idempotency-Key).
create table idempotency_keys (
  owner text not null,
  key text not null,
  route text not null,
  body_hash bytea not null,
  status int,
  answer text,
  created_at timestamptz not null default keyturn_now(),
  primary key (owner, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Counters that guard accounts; shared by all processes.
create table throttles (
  bucket text primary key,
  count int not null,
  window_ends_at timestamptz not null,
  -- Before this the next try is refused without being counted.
  free_at timestamptz not null
);
create index throttles_by_end on throttles (window_ends_at);

-- Work for later, added in the transaction that causes it. A process that takes a job moves run_at ahead; if it falls
-- silent, another one finds the job due again.
create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  -- At most one job per key: added again, it moves.
  key text unique,
  payload jsonb not null default '{}',
  run_at timestamptz not null default keyturn_now(),
  attempts int not null default 0,
  -- Whoever took it last: only they may end it.
  claim bigint,
  failed_because text
);
create index jobs_due on jobs (run_at, id);
