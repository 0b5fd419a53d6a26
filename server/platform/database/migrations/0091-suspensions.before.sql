-- Suspended accounts. The person reads the reason and the note; the history stays.
create table suspensions (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  reason text not null check (reason in ('FALSE_LISTING', 'FRAUD', 'ABUSE', 'IDENTITY', 'OTHER')),
  -- Null once the person has deleted the account.
  note text check (length(note) between 1 and 1000),
  suspended_at timestamptz not null default keyturn_now(),
  -- The administrator's name, as when it was done.
  suspended_by text not null,
  lifted_at timestamptz,
  lifted_by text,
  constraint suspensions_are_lifted_by_somebody check ((lifted_at is null) = (lifted_by is null))
);
create unique index one_active_suspension_per_person on suspensions (user_id) where lifted_at is null;
create index suspensions_of_person on suspensions (user_id, suspended_at desc);

-- Set by `mark_suspended` alone: a waiting transaction sees it as soon as it gets the lock of the person's row.
alter table users add column suspended_at timestamptz;

create function check_suspension() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.lifted_at is null then return new; end if;
  elsif tg_op = 'UPDATE' then
    if (new.id, new.user_id, new.reason, new.suspended_at, new.suspended_by)
        is not distinct from (old.id, old.user_id, old.reason, old.suspended_at, old.suspended_by)
      and (new.note is null or new.note is not distinct from old.note)
      and (old.lifted_at is null or (new.lifted_at, new.lifted_by) is not distinct from (old.lifted_at, old.lifted_by)) then
      return new;
    end if;
  end if;
  raise exception 'a suspension is lifted once and stays otherwise'
    using errcode = 'check_violation', constraint = 'suspensions_stay';
end $$;
create trigger a_suspension_is_only_lifted before insert or update or delete on suspensions
  for each row execute function check_suspension();

create function mark_suspended() returns trigger language plpgsql as $$
begin
  update users set suspended_at = case when new.lifted_at is null then new.suspended_at end where id = new.user_id;
  return null;
end $$;
create trigger a_suspended_person_is_marked after insert or update of lifted_at on suspensions
  for each row execute function mark_suspended();

create function is_suspended(person char) returns boolean language sql stable as $$
  select exists (select from users where id = person and suspended_at is not null)
$$;
-- A deal is on hold while the account of a party is suspended.
create function is_paused(deal deals) returns boolean language sql stable as $$
  select exists (select from users where id in (deal.seller_id, deal.buyer_id) and suspended_at is not null)
$$;
