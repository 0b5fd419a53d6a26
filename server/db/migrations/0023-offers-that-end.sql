-- The end of a wholesaler's offer stays with the trade until its next move, so that both sides read of it, and are told once.
alter table trades add column expired_price_cents bigint;
alter table trades add column expired_at timestamptz;
-- What was last said of the offer's time: that a day is left, or that it is over.
alter table trades add column offer_told text check (offer_told in ('REMINDED', 'ENDED'));
alter table trades add constraint an_ended_offer_has_price_and_time
  check ((expired_at is null) = (expired_price_cents is null));
alter table trades add constraint an_ended_offer_waits_for_another check (expired_at is null or status = 'PENDING');

update trades set expired_at = ended.at, expired_price_cents = offered.price_cents, offer_told = 'ENDED'
from (select distinct on (trade_id) trade_id, event, at from trade_events order by trade_id, version desc) ended,
  (select distinct on (trade_id) trade_id, price_cents from trade_events where event = 'offer' order by trade_id, version desc) offered
where ended.trade_id = trades.id and offered.trade_id = trades.id and ended.event = 'expire' and trades.status = 'PENDING';
