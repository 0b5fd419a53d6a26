-- Reports of people whose car a stranger has listed.
create table car_claims (
  id char(24) primary key,
  car_id char(24) not null references cars (id),
  claimant_id char(24) not null references users (id),
  -- Null once the claimant has deleted the account.
  reason text check (length(reason) between 1 and 1000),
  -- What the claimant typed about the car.
  facts jsonb check (jsonb_typeof(facts) = 'object'),
  claimed_at timestamptz not null default keyturn_now(),
  handled_at timestamptz,
  outcome text check (outcome in ('KEPT', 'REMOVED')),
  constraint claims_are_handled_with_an_outcome check ((handled_at is null) = (outcome is null))
);
-- A decided claim stays; the person may make another.
create unique index one_open_claim_per_person_and_car on car_claims (car_id, claimant_id) where handled_at is null;
create index car_claims_newest on car_claims (claimed_at desc, id desc);
create index car_claims_by on car_claims (claimant_id);

create function check_claim() returns trigger language plpgsql as $$
begin
  if exists (select from cars where id = new.car_id and seller_id = new.claimant_id) then
    raise exception 'nobody claims a car from themselves'
      using errcode = 'check_violation', constraint = 'claims_are_by_others';
  end if;
  return new;
end $$;
create trigger a_claim_is_by_another before insert on car_claims for each row execute function check_claim();
