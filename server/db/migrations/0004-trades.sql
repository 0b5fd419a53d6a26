create table trades (
  id char(24) primary key,
  owner_id char(24) not null references users (id),
  vin text not null,
  make text not null,
  model text not null,
  year int not null,
  trim text not null,
  mileage int not null check (mileage > 0),
  color text not null,
  zip_code text not null,
  payoff boolean not null,
  message text not null default '',
  status text not null default 'PENDING' check (status in ('PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED')),
  price_cents bigint check (price_cents between 1 and 1000000000),
  tax_credit_cents bigint check (tax_credit_cents >= 0),
  -- The state's rate that the credit was computed with, as the look-up gave it; a word when it gave none.
  tax_rate text,
  -- Since when it has this status: how long somebody has been waiting for somebody.
  moved_at timestamptz not null default keyturn_now(),
  -- An offer stands for seven days (by the database's clock).
  offer_expires_at timestamptz,
  -- Who made the offer last.
  offered_by char(24) references users (id),
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  deleted_at timestamptz,
  check ((price_cents is null) = (status = 'PENDING')),
  check ((price_cents is null) = (tax_credit_cents is null)),
  check ((offer_expires_at is null) = (status <> 'OFFERED'))
);
create unique index one_trade_per_owner_and_vin on trades (owner_id, vin) where deleted_at is null;
create index trades_of_owner on trades (owner_id, created_at desc, id desc) where deleted_at is null;
create index trades_newest on trades (created_at desc, id desc) where deleted_at is null;
create index trades_newest_by_status on trades (status, created_at desc, id desc) where deleted_at is null;
create index trades_offers_due on trades (offer_expires_at) where status = 'OFFERED' and deleted_at is null;
