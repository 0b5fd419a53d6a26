-- What is owed to whom on a car and on a trade. Both count only while payoff is true: older servers change payoff alone.
-- 0080 validates the constraints, without an exclusive lock.
alter table cars
  add column payoff_cents bigint,
  add column lender text not null default '',
  add constraint cars_payoff_cents_check check (payoff_cents between 100 and 1000000000) not valid,
  add constraint cars_lender_check check (length(lender) <= 64) not valid;
alter table trades
  add column payoff_cents bigint,
  add column lender text not null default '',
  add constraint trades_payoff_cents_check check (payoff_cents between 100 and 1000000000) not valid,
  add constraint trades_lender_check check (length(lender) <= 64) not valid;
