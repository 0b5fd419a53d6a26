-- Each try to hand a deal over, and each call with which a dealer has answered, is evidence, too: it is only ever added.
alter table delivery_tries add column row_sum bytea not null default '';
create trigger summed before insert or update on delivery_tries for each row execute function sum_row();
update delivery_tries set row_sum = default;
create trigger delivery_tries_stay before update or delete on delivery_tries for each row execute function refuse_change();
create trigger delivery_tries_stay_whole before truncate on delivery_tries for each statement execute function refuse_change();

alter table partner_calls add column row_sum bytea not null default '';
create trigger summed before insert or update on partner_calls for each row execute function sum_row();
update partner_calls set row_sum = default;
create trigger partner_calls_stay before update or delete on partner_calls for each row execute function refuse_change();
create trigger partner_calls_stay_whole before truncate on partner_calls for each statement execute function refuse_change();
