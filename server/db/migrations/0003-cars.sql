create table cars (
  id char(24) primary key,
  seller_id char(24) not null references users (id),
  vin text not null,
  make text not null,
  model text not null,
  year int not null,
  trim text not null,
  mileage int not null check (mileage > 0),
  color text not null,
  payoff boolean not null,
  zip_code text,
  message text not null default '',
  -- The asking price; null: to be agreed.
  price_cents bigint check (price_cents between 100 and 1000000000),
  -- Grows with every change of a term that signatures stand on; never shrinks.
  terms_version int not null default 1,
  terms_at timestamptz not null default keyturn_now(),
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  completed_at timestamptz,
  deleted_at timestamptz,
  removed_because text
);
-- One live listing per VIN over all sellers, so that a VIN alone names one car (decisions B14).
create unique index one_live_listing_per_vin on cars (vin) where deleted_at is null and completed_at is null;
create index cars_of_seller on cars (seller_id, created_at desc) where deleted_at is null;
create index cars_of_seller_by_vin on cars (seller_id, vin) where deleted_at is null;
create index cars_newest on cars (created_at desc, id desc) where deleted_at is null;

-- Answers of the VIN decoder: the slow look-up is made once per VIN; an empty answer is remembered too.
create table vin_answers (
  vin text primary key,
  make text,
  model text,
  year int,
  trim text,
  body_class text,
  asked_at timestamptz not null default keyturn_now()
);
