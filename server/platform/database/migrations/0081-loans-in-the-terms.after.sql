-- A loan on a trade is part of the signed terms, like its value.
drop trigger trades_in_the_terms on trades;
create trigger trades_in_the_terms
after update of vin, year, make, model, price_cents, payoff, payoff_cents, lender on trades for each row
when ((old.vin, old.year, old.make, old.model, old.price_cents, old.payoff, old.payoff_cents, old.lender)
  is distinct from (new.vin, new.year, new.make, new.model, new.price_cents, new.payoff, new.payoff_cents, new.lender))
execute function trade_terms_changed();
