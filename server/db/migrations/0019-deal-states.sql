-- What the states of a deal mean to SQL, said once: what contract/deals/rules.ts says of them, in the database's words.
-- The planner writes these functions into the statement that calls them, so that the partial indexes of deals serve it.

-- A buyer has the car: confirmed, or sold to.
create function is_taken(deal_status text) returns boolean language sql immutable
return deal_status in ('ACCEPTED', 'COMPLETED');

-- A request that can be confirmed, or has been.
create function is_standing(deal_status text) returns boolean language sql immutable
return deal_status in ('PENDING', 'ACCEPTED', 'COMPLETED');

-- The clock's own move is open: the 72 hours are over without the buyer's signature.
create function hold_is_over(deal deals) returns boolean language sql stable
return deal.status = 'ACCEPTED' and deal.passed_at is null and deal.withdrawn_at is null
  and deal.exclusive_until is not null and deal.exclusive_until <= keyturn_now();

-- The car is promised or sold in this deal; a hold that is over counts no more, even before anybody has settled it.
create function has_car(deal deals) returns boolean language sql stable
return is_taken(deal.status) and deal.withdrawn_at is null and not hold_is_over(deal);
