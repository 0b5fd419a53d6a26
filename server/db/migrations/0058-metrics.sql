-- What the metrics ask (decision 51) costs the same however many deals and jobs there are.

-- Where a deal stands, in the words of an operator.
create function counted_state(deal deals) returns text language sql immutable
return case
  when deal.withdrawn_at is not null then case when deal.passed_at is null then 'ended' else 'called_off' end
  when deal.status = 'ACCEPTED' and deal.passed_at is not null then 'passed'
  else lower(deal.status)
end;

-- How many deals there are of each state, as changes that are added up: rows are only ever added while people wait, so that
-- no two of them meet at one counter. Hourly they are folded into one row a state.
create table deal_counts (
  id bigint generated always as identity primary key,
  state text not null,
  change bigint not null
);

create function count_deal() returns trigger language plpgsql as $$
begin
  insert into deal_counts (state, change)
    select state, sum(change) from (values
      (case when tg_op <> 'INSERT' then counted_state(old) end, -1),
      (case when tg_op <> 'DELETE' then counted_state(new) end, 1)
    ) as counted (state, change)
    where state is not null group by state having sum(change) <> 0;
  return null;
end $$;

insert into deal_counts (state, change) select counted_state(deals), count(*) from deals group by 1;
create trigger count_new_deal after insert or delete on deals for each row execute function count_deal();
create trigger count_moved_deal after update of status, passed_at, withdrawn_at on deals for each row
  when (counted_state(old) is distinct from counted_state(new)) execute function count_deal();

-- Empty: it has done its turn, and asked for the next.
create index jobs_failing on jobs (name) where failed_because <> '';
