-- What happened to an account, who did it and when: written once, in the transaction of the change. It names fields,
-- never what stood in them, so it stays when the person leaves.
create table account_events (
  id bigint generated always as identity primary key,
  user_id char(24) not null references users (id),
  at timestamptz not null default keyturn_now(),
  -- CODE: whoever holds what was mailed to the address.
  actor text not null check (actor in ('PERSON', 'CODE', 'ADMIN')),
  event text not null check (event in
    ('registered', 'edited', 'verified', 'passwordChanged', 'passwordReset', 'approved', 'declined', 'deleted')),
  fields text[] not null default '{}',
  session_id char(24)
);
create index account_events_of_user on account_events (user_id, id);
create trigger account_events_stay before update or delete on account_events for each row execute function refuse_change();
