-- Validates the constraints of 0079 while reads and writes go on.
alter table cars validate constraint cars_payoff_cents_check;
alter table cars validate constraint cars_lender_check;
alter table trades validate constraint trades_payoff_cents_check;
alter table trades validate constraint trades_lender_check;
