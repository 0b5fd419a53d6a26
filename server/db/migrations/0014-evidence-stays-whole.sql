-- Evidence that no statement may change row by row is not emptied as a whole either.
create trigger signatures_stay_whole before truncate on signatures for each statement execute function refuse_change();
create trigger deal_events_stay_whole before truncate on deal_events for each statement execute function refuse_change();
create trigger trade_events_stay_whole before truncate on trade_events for each statement execute function refuse_change();
create trigger account_events_stay_whole before truncate on account_events for each statement execute function refuse_change();
create trigger packages_stay_whole before truncate on packages for each statement execute function refuse_change();
