-- Both sides of a deal read whether its dealer has taken it: with every look at a deal that was passed on.
create index deliveries_passed on deliveries (deal_id) where kind = 'deal.passed';
