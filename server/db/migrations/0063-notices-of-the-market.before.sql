-- What a wholesaler's bell shows, and nothing else: the index before it also holds what says nothing to the market, and a page read
-- through all of that to find its ten.
create index concurrently notifications_of_market on notifications (created_at desc, id desc)
  where type <> 'TRADE_OFFERED' and public_message <> '';
