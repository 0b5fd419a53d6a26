-- What has happened and to which part of it somebody is told, as contract/notifications/events.ts names them, and what it
-- is about. All of it is null in notices from before: they lead nowhere, and nothing but reading takes them out of the count.
-- No foreign keys: deals and trades are never deleted, and checking one would lock the deal of a bystander.
alter table notifications add column event text;
alter table notifications add column audience text;
alter table notifications add column deal_id char(24);
alter table notifications add column trade_id char(24);
alter table notifications add constraint an_event_has_an_audience check ((event is null) = (audience is null));
alter table notifications add constraint an_event_is_about_something
  check (event is null or (deal_id is null) <> (trade_id is null));

-- One notice for all approved wholesalers has no recipient: each of them reads it for themselves.
alter table notifications alter column recipient_id drop not null;
alter table notifications add constraint without_recipient_for_wholesalers
  check (recipient_id is not null or audience is not distinct from 'WHOLESALERS');
create index notifications_to_wholesalers on notifications (created_at desc, id desc) where recipient_id is null;
