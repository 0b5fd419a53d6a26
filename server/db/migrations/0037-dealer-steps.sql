-- A dealer's system acts on the deals that were passed to it (R-deals-75).
alter table deal_events
  drop constraint deal_events_actor_check,
  add constraint deal_events_actor_check check (actor in ('SELLER', 'BUYER', 'CLOCK', 'ADMIN', 'DEALER'));

-- What it has called with, once each: the same id again changes nothing.
create table partner_calls (
  dealer_id char(24) not null references dealers (id),
  webhook_id text not null check (length(webhook_id) between 1 and 255),
  package_id char(24) not null references packages (id),
  body_digest bytea not null check (length(body_digest) = 32),
  at timestamptz not null default keyturn_now(),
  primary key (dealer_id, webhook_id)
);
