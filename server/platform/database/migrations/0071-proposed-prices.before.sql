-- Another price that the seller proposes for a pending request. The buyer's offer stays as it is until the buyer accepts.
-- Its constraints are validated by 0075, without an exclusive lock.
alter table deals
  add column proposed_cents bigint,
  add column proposed_at timestamptz,
  -- The terms version that the proposal answers: another offer or status ends it, like a signature (docs/decisions/0074).
  add column proposed_terms int,
  add constraint deals_proposed_cents_check check (proposed_cents between 100 and 1000000000) not valid,
  add constraint a_proposal_has_a_time check ((proposed_at is null) = (proposed_cents is null)) not valid,
  add constraint a_proposal_answers_terms check ((proposed_terms is null) = (proposed_cents is null)) not valid;

-- The proposal that the buyer can accept now; null without one.
create function open_proposal(deal deals) returns bigint language sql immutable as $$
  -- An expression, which PostgreSQL inlines; a query it would run for each row.
  select case when deal.status = 'PENDING' and deal.withdrawn_at is null and deal.proposed_terms = deal.terms_version
    then deal.proposed_cents end
$$;
