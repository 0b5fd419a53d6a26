-- Whoever ends an offer leaves its telling to one job, which finds here what is still to be told.
create index trades_untold_ends on trades (expired_at)
  where expired_at is not null and deleted_at is null and offer_told is distinct from 'ENDED';

-- Offers that stand already have their owners reminded, too.
insert into jobs (name, key, payload, run_at, is_moment)
select 'remind-of-offer', 'reminder of ' || id, jsonb_build_object('id', id), offer_expires_at - interval '1 day', true
from trades where status = 'OFFERED' and deleted_at is null
on conflict (key) do nothing;

-- The names are part of what both sign: who has read the old ones is asked to read again. What somebody has signed
-- keeps the names it was signed with.
create function names_of_deals_changed() returns trigger language plpgsql as $$
begin
  update deals set version = nextval('row_versions')
  where (seller_id = new.id or buyer_id = new.id) and withdrawn_at is null and passed_at is null;
  return null;
end $$;
create trigger names_in_the_terms after update of first_name, last_name on users for each row
when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
execute function names_of_deals_changed();
