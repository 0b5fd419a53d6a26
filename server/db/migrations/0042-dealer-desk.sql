-- The book of the dealer desk that is built in: which deals were delivered to it, and what it has said about each. It is
-- kept as a dealer's own system would keep it, so nothing here refers to the tables of deals.
create table desk_deals (
  package_id char(24) primary key,
  car text not null,
  vin text not null,
  -- The newest thing that was said, and when; null: nothing yet.
  step text,
  step_at timestamptz,
  is_done boolean not null default false,
  received_at timestamptz not null default keyturn_now(),
  constraint a_step_has_a_time check ((step is null) = (step_at is null))
);
create index desk_deals_by_age on desk_deals (is_done, received_at, package_id);
