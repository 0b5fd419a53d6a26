-- What a mail that waits needs to leave once, and together with others.
alter table mails
  -- The switch by which its reader gets it; null: needed for the account or by law, and neither held nor joined.
  add column kind text,
  -- The deal whose mails stand together in a mailbox.
  add column thread char(24),
  -- As it was written, for as long as others may be joined to it.
  add column letter jsonb,
  -- Kept from the first try on, when its words stand, too: a double is the same mail.
  add column message_id text unique,
  add column begun_at timestamptz,
  -- When it was put into the line, last by an administrator; a day later it is given up.
  add column queued_at timestamptz,
  -- Its reader had enough mails for an hour; it leaves with the next one.
  add column held_back boolean not null default false,
  -- It left as a part of this one.
  add column joined_into char(24) references mails (id) on delete cascade;
update mails set queued_at = created_at;
alter table mails
  alter column queued_at set not null,
  alter column queued_at set default keyturn_now(),
  add constraint only_a_person_has_switches check (kind is null or user_id is not null),
  add constraint what_has_begun_has_a_message_id check (begun_at is null or message_id is not null),
  add constraint a_mail_ends_in_one_way check (num_nonnulls(sent_at, dead_at, joined_into) <= 1);
create index mails_unsent on mails (created_at desc, id desc) where sent_at is null and joined_into is null;
create index mails_joined on mails (joined_into) where joined_into is not null;

-- One way for files: what goes out with a mail, as `kind:id`. The room that wrote it makes it when the mail leaves.
update mails set attachment = 'agreement:' || attachment where attachment is not null;
update mails set attachment = 'delivery:' || delivery_id where delivery_id is not null;
alter table mails drop column delivery_id;

-- Addresses that sent a mail back. Whoever changes such an address, or proves it anew, is written to again.
create table mail_bounces (
  user_id char(24) not null references users (id),
  address text not null,
  at timestamptz not null default keyturn_now(),
  because text not null,
  primary key (user_id, address)
);
