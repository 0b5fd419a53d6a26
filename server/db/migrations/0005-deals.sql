-- A deal is one buyer's way to one car: their progress, their request, their agreement.
create table deals (
  id char(24) primary key,
  car_id char(24) not null references cars (id),
  seller_id char(24) not null references users (id),
  buyer_id char(24) not null references users (id),
  status text not null default 'STARTED' check (status in ('STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED')),
  price_cents bigint check (price_cents between 100 and 1000000000),
  seller_message text not null default '',
  active_step int not null default 0 check (active_step between 0 and 6),
  -- The highest stage ever reached: the specification's buyerStep flags are all up to it.
  reached_step int not null default 0 check (reached_step between 0 and 6),
  has_trade boolean,
  needs_financing boolean,
  financing jsonb,
  -- VINs of the trades that the buyer has checked; a request turns them into rows of deal_trades.
  chosen_trade_vins text[] not null default '{}',
  terms_version int not null default 1,
  terms_at timestamptz not null default keyturn_now(),
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  requested_at timestamptz,
  accepted_at timestamptz,
  -- End of the seller's 72 hours; set by the seller's signature.
  exclusive_until timestamptz,
  -- Set when the hold ended unsigned; cleared when the seller confirms again.
  lapsed_at timestamptz,
  passed_at timestamptz,
  package_id char(24) unique,
  completed_at timestamptz,
  withdrawn_at timestamptz,
  check (buyer_id <> seller_id),
  check (status = 'STARTED' or price_cents is not null),
  check ((passed_at is null) = (package_id is null)),
  check (status <> 'COMPLETED' or passed_at is not null)
);
create unique index one_deal_per_buyer_and_car on deals (car_id, buyer_id) where withdrawn_at is null;
-- At most one accepted buyer per car at any one time, whatever the code does.
create unique index one_accepted_buyer_per_car on deals (car_id) where status in ('ACCEPTED', 'COMPLETED') and withdrawn_at is null;
create index deals_of_car on deals (car_id, requested_at);
create index deals_of_buyer on deals (buyer_id, created_at desc) where withdrawn_at is null;
create index deals_of_seller on deals (seller_id) where withdrawn_at is null;
create index deals_held on deals (exclusive_until) where status = 'ACCEPTED' and passed_at is null and exclusive_until is not null and withdrawn_at is null;
create index deals_passed on deals (passed_at desc, id desc) where passed_at is not null;

-- A trade serves one live deal: the trade is the key (decisions D11).
create table deal_trades (
  trade_id char(24) primary key references trades (id),
  deal_id char(24) not null references deals (id)
);
create index deal_trades_of_deal on deal_trades (deal_id);

-- Evidence of a signature: written once, each row chained to the one before it on the same deal.
create table signatures (
  id char(24) primary key,
  -- The order in which they were written: two may begin in one order and end in the other.
  number bigint generated always as identity,
  deal_id char(24) not null references deals (id),
  party text not null check (party in ('SELLER', 'BUYER')),
  signer_id char(24) not null references users (id),
  signer_email text not null,
  signer_verified_at timestamptz not null,
  session_id char(24) not null,
  name text not null,
  signature text not null,
  -- A signature counts while these are the present versions of car and deal.
  car_terms_version int not null,
  deal_terms_version int not null,
  -- The exact bytes that were signed, and their SHA-256.
  terms text not null,
  terms_hash bytea not null,
  text_version text not null,
  consent_version text,
  shown_at timestamptz,
  signed_at timestamptz not null default keyturn_now(),
  ip text,
  user_agent text,
  previous_hash bytea,
  hash bytea not null
);
create unique index one_signature_per_party_and_terms on signatures (deal_id, party, car_terms_version, deal_terms_version);
create trigger signatures_stay before update or delete on signatures for each row execute function refuse_change();

-- What happened on a deal, who did it and when: the timeline and the audit trail in one, written once.
create table deal_events (
  id bigint generated always as identity primary key,
  deal_id char(24) not null references deals (id),
  at timestamptz not null default keyturn_now(),
  actor text not null check (actor in ('SELLER', 'BUYER', 'CLOCK', 'ADMIN')),
  actor_id char(24),
  event text not null,
  "from" text,
  "to" text,
  session_id char(24),
  request_id text,
  ip text,
  previous_hash bytea,
  hash bytea not null
);
create index deal_events_of_deal on deal_events (deal_id, id);
create trigger deal_events_stay before update or delete on deal_events for each row execute function refuse_change();

-- The final package: what both signed, frozen.
create table packages (
  id char(24) primary key,
  deal_id char(24) not null unique references deals (id),
  contents jsonb not null,
  created_at timestamptz not null default keyturn_now()
);
create trigger packages_stay before update or delete on packages for each row execute function refuse_change();

-- Writes an event chained to the one before it on the same deal; the caller holds the deal's lock.
create function record_deal_event(
  deal char(24), who text, who_id char(24), what text, was text, became text,
  session char(24), request text, address text
) returns void language sql as $$
  insert into deal_events (deal_id, actor, actor_id, event, "from", "to", session_id, request_id, ip, previous_hash, hash)
  select deal, who, who_id, what, was, became, session, request, address, last.hash,
    sha256(coalesce(last.hash, '') || convert_to(
      jsonb_build_array(deal, extract(epoch from keyturn_now()), who, who_id, what, was, became, session, request, address)::text, 'UTF8'))
  from (select 1) as one
  left join lateral (select hash from deal_events where deal_id = deal order by id desc limit 1) as last on true
$$;
