-- What the two of a deal write to each other (R-deals-83). It is no evidence: nothing of it is signed, and nothing is sealed.

-- A request waits or is confirmed, and the deal is not over: the same as `takesMessages` of the rules.
create function takes_messages(deal deals) returns boolean language sql immutable
return deal.status in ('PENDING', 'ACCEPTED') and deal.withdrawn_at is null;

create table deal_messages (
  id char(24) primary key,
  -- In the order of the deal, whose row is locked while one is added.
  number bigint generated always as identity,
  deal_id char(24) not null references deals (id),
  sender_id char(24) not null references users (id),
  -- Null once nobody is left who could read it.
  text text check (length(text) between 1 and 2000),
  sent_at timestamptz not null default keyturn_now()
);
create index deal_messages_of_deal on deal_messages (deal_id, number);

create function check_message() returns trigger language plpgsql as $$
begin
  perform 1 from deals deal
  where deal.id = new.deal_id and new.sender_id in (deal.seller_id, deal.buyer_id) and takes_messages(deal)
  for share;
  if not found then
    raise exception 'a message is between the two of a deal that is not over'
      using errcode = 'check_violation', constraint = 'messages_are_between_the_two';
  end if;
  if new.text is null then
    raise exception 'a message says something' using errcode = 'check_violation', constraint = 'messages_say_something';
  end if;
  return new;
end $$;
create trigger a_message_is_between_the_two before insert on deal_messages for each row execute function check_message();

create function check_forgetting() returns trigger language plpgsql as $$
begin
  if new.text is not null
    or (new.id, new.number, new.deal_id, new.sender_id, new.sent_at)
      is distinct from (old.id, old.number, old.deal_id, old.sender_id, old.sent_at) then
    raise exception 'a message is never changed, only forgotten'
      using errcode = 'check_violation', constraint = 'messages_are_only_forgotten';
  end if;
  return new;
end $$;
create trigger a_message_is_only_forgotten before update on deal_messages for each row execute function check_forgetting();

-- Up to which message each of the two has seen what the other one wrote.
create table messages_seen (
  deal_id char(24) not null references deals (id),
  person_id char(24) not null references users (id),
  up_to bigint not null,
  primary key (deal_id, person_id)
);

create table message_reports (
  message_id char(24) primary key references deal_messages (id),
  reporter_id char(24) not null references users (id),
  reason text check (length(reason) between 1 and 1000),
  reported_at timestamptz not null default keyturn_now(),
  handled_at timestamptz
);
create index message_reports_newest on message_reports (reported_at desc, message_id desc);

create function check_report() returns trigger language plpgsql as $$
begin
  if not exists (
    select from deal_messages message join deals deal on deal.id = message.deal_id
    where message.id = new.message_id and message.sender_id <> new.reporter_id
      and new.reporter_id in (deal.seller_id, deal.buyer_id)
  ) then
    raise exception 'a message is reported by the one who got it'
      using errcode = 'check_violation', constraint = 'reports_are_by_who_got_it';
  end if;
  return new;
end $$;
create trigger a_report_is_by_who_got_it before insert on message_reports for each row execute function check_report();

alter table switched_off drop constraint switched_off_kind_check;
alter table switched_off add constraint switched_off_kind_check check (kind in
  ('requests', 'answers', 'messages', 'signing', 'dealer', 'offers', 'ownOffers', 'newTrades', 'reminders'));
