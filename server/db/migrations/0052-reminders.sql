alter table switched_off drop constraint switched_off_kind_check;
alter table switched_off add constraint switched_off_kind_check check (
  kind in ('requests', 'answers', 'signing', 'dealer', 'offers', 'ownOffers', 'newTrades', 'reminders'));

-- For what is under way already, reminders are counted from now on.
insert into jobs (name, key, payload, run_at)
select 'remind-of-deal', 'turn on ' || id, jsonb_build_object('id', id, 'told', 0, 'since', keyturn_now()),
  keyturn_now() + interval '24 hours'
from deals
where withdrawn_at is null and completed_at is null and status in ('PENDING', 'ACCEPTED', 'REJECTED');

insert into jobs (name, key, payload, run_at)
select 'remind-of-trade', 'turn on ' || id, jsonb_build_object('id', id, 'told', 0, 'since', keyturn_now()),
  keyturn_now() + interval '3 hours'
from trades
where deleted_at is null and status in ('PENDING', 'OFFERED', 'OFFER');
