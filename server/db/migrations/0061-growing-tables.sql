-- Each of these served a statement that read a whole table, or left nothing but reading it.

-- Also those that were taken off, withdrawn or deleted: whoever deletes their account is forgotten in them, too.
drop index cars_of_seller;
create index cars_of_seller on cars (seller_id, created_at desc);
drop index trades_of_owner;
create index trades_of_owner on trades (owner_id, created_at desc, id desc);
drop index deals_of_seller;
create index deals_of_seller on deals (seller_id, buyer_id);
drop index deals_of_buyer;
create index deals_of_buyer on deals (buyer_id, created_at desc);

create index trades_offered_by on trades (offered_by) where status = 'OFFERED' and deleted_at is null;
-- In which zone somebody was last seen.
create index sessions_with_zone on sessions (user_id, signed_in_at desc) where time_zone is not null;
create index message_reports_by on message_reports (reporter_id);

-- A deal that ends before both have signed lets go of the photos that its two were shown, with its end: nobody looks for
-- such deals among all of them. What nobody else refers to is swept.
create function forget_shown_photos() returns trigger language plpgsql as $$
begin
  with gone as (delete from deal_photos where deal_id = new.id returning picture_id)
  update pictures set sweep_after = keyturn_now() where id in (select picture_id from gone) and sweep_after is null;
  return null;
end $$;
create trigger an_ended_deal_forgets_photos after update of withdrawn_at on deals for each row
  when (old.withdrawn_at is null and new.withdrawn_at is not null and new.passed_at is null)
  execute function forget_shown_photos();
update pictures set sweep_after = keyturn_now() where sweep_after is null and id in (
  select picture_id from deal_photos join deals on deals.id = deal_id where withdrawn_at is not null and passed_at is null);
delete from deal_photos where deal_id in (select id from deals where withdrawn_at is not null and passed_at is null);

-- What is taken away by the hour is found by its age.
create index sessions_by_end on sessions (least(expires_at, ended_at));
create index admin_sessions_by_end on admin_sessions (least(expires_at, ended_at));
create index email_codes_by_end on email_codes (expires_at);
create index known_networks_by_age on known_networks (last_used_at);
create index vin_answers_unknown on vin_answers (asked_at) where make is null;
create index mails_gone on mails (coalesce(sent_at, dead_at));
create index mails_dead on mails (dead_at) where dead_at is not null and html <> '';
create index users_gone on users (deleted_at) where deleted_at is not null;
