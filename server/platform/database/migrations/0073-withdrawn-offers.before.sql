-- When the offer of expired_price_cents was withdrawn. It counts only while it equals expired_at, because older servers expire the
-- next offer without clearing it.
alter table trades add column withdrawn_at timestamptz;

-- A wholesaler can withdraw an unanswered offer for ten minutes. 0075 validates the constraint.
alter table trade_events
  drop constraint trade_events_event_check,
  add constraint trade_events_event_check
    check (event in ('submit', 'offer', 'withdraw', 'accept', 'reject', 'counter', 'forfeit', 'reset', 'expire', 'delete')) not valid;
