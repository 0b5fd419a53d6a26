-- Separate, so that adding the constraint holds no long lock while rows are checked.
alter table account_events validate constraint account_events_event_check;
