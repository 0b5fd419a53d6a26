-- What a mail tells of, so that it is asked when it leaves whether anybody still needs it, with a notice in the bell or without one.
alter table mails add column event text, add column audience text;
update mails set event = notifications.event, audience = notifications.audience,
  thread = coalesce(mails.thread, notifications.deal_id, notifications.trade_id)
from notifications where notifications.id = mails.notice and mails.sent_at is null;
alter table mails drop column notice;
