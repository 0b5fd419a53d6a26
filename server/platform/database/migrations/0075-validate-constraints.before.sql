-- Validates the constraints of 0071 and 0073 while reads and writes go on.
alter table deals validate constraint deals_proposed_cents_check;
alter table deals validate constraint a_proposal_has_a_time;
alter table deals validate constraint a_proposal_answers_terms;
alter table trade_events validate constraint trade_events_event_check;
