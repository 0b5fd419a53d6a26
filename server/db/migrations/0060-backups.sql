-- What was backed up, when, and what went wrong. One that has not ended was given up, or is being made.
create table backups (
  id bigint generated always as identity primary key,
  began_at timestamptz not null default keyturn_now(),
  ended_at timestamptz,
  -- Where it lies; null until it is whole.
  path text,
  failed_because text
);
create index backups_whole on backups (began_at desc) where path is not null;

-- While one of these is not over, mails, deliveries and pushes stay in line: what they say may have been said already.
create table outgoing_stops (
  id bigint generated always as identity primary key,
  because text not null,
  began_at timestamptz not null default keyturn_now(),
  ended_at timestamptz
);
create unique index one_outgoing_stop on outgoing_stops ((ended_at is null)) where ended_at is null;
