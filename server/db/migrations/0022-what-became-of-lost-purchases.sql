-- Whose request ended because the car was sold to another buyer still reads what became of it (R-deals-55).
alter table deals
  add column sold_elsewhere boolean not null default false,
  add constraint only_what_ended_was_sold_elsewhere check (not sold_elsewhere or withdrawn_at is not null);
update deals set sold_elsewhere = true
where withdrawn_at is not null and status = 'PENDING'
  and 'soldElsewhere' = (select event from deal_events where deal_id = deals.id order by id desc limit 1);
create index deals_sold_elsewhere on deals (buyer_id, withdrawn_at) where sold_elsewhere;
