-- Whose a mail is, so that it goes with their account whatever address it went to. Null: a farewell.
alter table mails add column user_id char(24) references users (id);
update mails set user_id = coalesce(
  (select id from users where users.email = mails.recipient),
  (select user_id from email_codes where address = mails.recipient order by created_at desc limit 1),
  (select id from users where pending_email = mails.recipient order by created_at limit 1)
);
create index mails_of_user on mails (user_id);
drop index mails_of_recipient;

-- Finds the kept answer that made an account, by the id it begins with: whoever asked for it, and at which address.
create index idempotency_keys_by_answer on idempotency_keys (left(answer, 33));

-- The person whom a notice names to its reader; when they leave, it goes on without them.
alter table notifications add column about_id char(24) references users (id);
update notifications set about_id = other.id
from deals join users other on other.id in (deals.seller_id, deals.buyer_id)
where notifications.recipient_id in (deals.seller_id, deals.buyer_id) and other.id <> notifications.recipient_id
  and starts_with(notifications.message, other.first_name || ' ' || other.last_name || ' ');
create index notifications_about on notifications (about_id) where about_id is not null;
