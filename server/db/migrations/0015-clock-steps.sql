-- A database's clock may step back. A wait was counted from a moment that is then still to come, and keeps its length; a
-- moment that people were told stays where it is.
alter table jobs add column counted_from timestamptz not null default keyturn_now();
alter table jobs add column is_moment boolean not null default false;
-- Until now only deadlines have had a key and were not planned by a migration.
update jobs set is_moment = true where key is not null and key <> 'clean-accounts';
create index jobs_counted on jobs (counted_from) where not is_moment;

create function count_wait() returns trigger language plpgsql as $$
begin
  new.counted_from = keyturn_now();
  return new;
end $$;
create trigger wait_counted before update of run_at on jobs for each row execute function count_wait();

-- What has expired is marked every minute, so that no clock can revive it. Each index holds what is still to expire.
insert into jobs (name, key) values ('expire-accounts', 'expire-accounts');
create index access_tokens_to_expire on access_tokens (expires_at);
create index admin_access_tokens_to_expire on admin_access_tokens (expires_at);
create index refresh_tokens_to_expire on refresh_tokens (expires_at) where expires_at > '-infinity';
create index admin_refresh_tokens_to_expire on admin_refresh_tokens (expires_at) where expires_at > '-infinity';
create index sessions_to_expire on sessions (expires_at) where ended_at is null;
create index admin_sessions_to_expire on admin_sessions (expires_at) where ended_at is null;
create index email_codes_to_expire on email_codes (expires_at) where superseded_at is null;
