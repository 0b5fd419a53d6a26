-- What somebody does not want to be told in a way; without a row it is told. The bell tells of everything.
create table switched_off (
  user_id char(24) not null references users (id),
  kind text not null check (kind in ('requests', 'answers', 'signing', 'dealer', 'offers', 'ownOffers', 'newTrades')),
  channel text not null check (channel in ('mail')),
  at timestamptz not null default keyturn_now(),
  primary key (user_id, kind, channel)
);

-- By whose clock a session's browser goes, so that a letter names a time as its reader's clock shows it.
alter table sessions add column time_zone text check (length(time_zone) <= 64);
alter table admin_sessions add column time_zone text check (length(time_zone) <= 64);
