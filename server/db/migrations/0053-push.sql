alter table switched_off drop constraint switched_off_channel_check;
alter table switched_off add constraint switched_off_channel_check check (channel in ('mail', 'push'));

-- A browser that tells its person at once, because they asked for it there. Its address is a secret of theirs.
create table push_devices (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  -- In which it asked last; null once what is known of that session was cleared away.
  session_id char(24) references sessions (id) on delete set null,
  endpoint text not null constraint one_device_per_endpoint unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  name text not null,
  added_at timestamptz not null default keyturn_now(),
  seen_at timestamptz not null default keyturn_now(),
  -- How often in a row it could not be told anything, and until when it is left alone.
  failures int not null default 0,
  rests_until timestamptz
);
create unique index one_device_per_session on push_devices (session_id) where session_id is not null;
create index push_devices_of_user on push_devices (user_id, seen_at desc);

-- However a session is ended, by signing out, a new password or an administrator, its browser is told nothing from then on. What
-- merely expires was ended by nobody.
create function switch_push_off() returns trigger language plpgsql as $$
begin
  delete from push_devices where session_id = new.id;
  return null;
end $$;
create trigger session_ended_switches_push_off after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null) execute function switch_push_off();

-- What a device is still to be told; gone once it was, or need not be any more.
create table pushes (
  -- Of the notice, where the bell rings too.
  id char(24) not null,
  device_id char(24) not null references push_devices (id) on delete cascade,
  event text not null,
  audience text not null,
  about_id char(24),
  deal_id char(24),
  trade_id char(24),
  body text not null,
  path text not null,
  tag char(24) not null,
  rings boolean not null,
  created_at timestamptz(3) not null default keyturn_now(),
  good_until timestamptz not null,
  attempts int not null default 0,
  failed_because text,
  primary key (id, device_id)
);
create index pushes_of_device on pushes (device_id, tag, created_at desc);
create index pushes_about on pushes (about_id) where about_id is not null;
