-- What a request's trade-ins are worth is part of what both sign. No call changes a trade that a request holds; whoever
-- does so all the same changes the deal's terms with it, so that no signature stands on a value that is not there any more.
create function trade_terms_changed() returns trigger language plpgsql as $$
begin
  if exists (select 1 from deal_trades join deals on deals.id = deal_trades.deal_id
             where deal_trades.trade_id = new.id and deals.passed_at is not null) then
    raise exception 'what both have signed about a trade is never changed';
  end if;
  update deals set terms_version = terms_version + 1, terms_at = keyturn_now(), version = nextval('row_versions')
  where id = (select deal_id from deal_trades where trade_id = new.id);
  return new;
end $$;
create trigger trades_in_the_terms after update of vin, year, make, model, price_cents on trades for each row
when ((old.vin, old.year, old.make, old.model, old.price_cents) is distinct from (new.vin, new.year, new.make, new.model, new.price_cents))
execute function trade_terms_changed();
