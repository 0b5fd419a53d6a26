-- Every submission, offer, counter, answer, reset and expiry of a trade: who, when, for how much. Written once.
create table trade_events (
  id bigint generated always as identity primary key,
  trade_id char(24) not null references trades (id),
  at timestamptz not null default keyturn_now(),
  actor text not null check (actor in ('OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK')),
  actor_id char(24),
  event text not null check (event in ('submit', 'offer', 'accept', 'reject', 'counter', 'forfeit', 'reset', 'expire', 'delete')),
  -- What it became.
  status text not null,
  price_cents bigint,
  tax_credit_cents bigint,
  tax_rate text,
  version bigint not null,
  session_id char(24),
  request_id text
);
-- One event makes one version of a trade: two moves can never both follow the same one.
create unique index trade_events_of_trade on trade_events (trade_id, version);
create trigger trade_events_stay before update or delete on trade_events for each row execute function refuse_change();
