-- What is sent to dealers (R-deals-74): each event once, under an id that it keeps for ever, however often it is tried.
create table deliveries (
  id char(24) primary key,
  -- The order in which the events of a deal are sent.
  number bigint generated always as identity,
  -- Null: a test, which is about no deal.
  deal_id char(24) references deals (id),
  dealer_id char(24) not null references dealers (id),
  kind text not null check (kind in ('deal.passed', 'deal.financing', 'test')),
  way text not null check (way in ('webhook', 'mail')),
  state text not null default 'WAITING' check (state in ('WAITING', 'DELIVERED', 'PARKED')),
  -- SHA-256 of what was sent last.
  payload_digest bytea check (length(payload_digest) = 32),
  -- Since it was asked for, for the first time or again by click.
  tries int not null default 0 check (tries >= 0),
  next_try_at timestamptz not null default keyturn_now(),
  give_up_at timestamptz not null default keyturn_now() + interval '3 days',
  created_at timestamptz not null default keyturn_now(),
  ended_at timestamptz,
  constraint one_delivery_of_each_event unique (deal_id, kind, way),
  constraint only_a_test_has_no_deal check ((kind = 'test') = (deal_id is null)),
  constraint what_waits_has_not_ended check ((state = 'WAITING') = (ended_at is null))
);
create index deliveries_of_deal on deliveries (deal_id, number) where state = 'WAITING';
create index deliveries_by_age on deliveries (created_at desc, id desc);
create index deliveries_parked on deliveries (ended_at) where state = 'PARKED' and kind <> 'test';

-- Each time that one was sent, and what came of it.
create table delivery_tries (
  delivery_id char(24) not null references deliveries (id),
  at timestamptz not null default keyturn_now(),
  number int not null check (number > 0),
  ms int not null check (ms >= 0),
  status int,
  -- Why it does not count as taken; null: it was.
  because text,
  primary key (delivery_id, number)
);

-- A letter that takes the deal to a dealer: its files are made when it leaves, and its end is the delivery's.
alter table mails add column delivery_id char(24) references deliveries (id);
