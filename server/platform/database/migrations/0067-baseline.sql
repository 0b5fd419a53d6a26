-- The whole schema, as of version 0.2.0. Later changes are migrations of their own.
--
-- Every function has a string body, not an SQL-standard one: since its releases of November 2026 PostgreSQL refuses to alter
-- a table while a function with an SQL-standard body uses the table's row type.

-- ---------------------------------------------------------------------------------------------------------------------
-- Time and versions
-- ---------------------------------------------------------------------------------------------------------------------

-- The time of every deadline and record. Tests replace the body in a database of their own; production has no offset to set.
create function keyturn_now() returns timestamptz language sql stable as $$ select now() $$;

-- Row versions of all tables come from one sequence, so a version names one state of one row.
create sequence row_versions;

-- ---------------------------------------------------------------------------------------------------------------------
-- Evidence: rows that are inserted once and never changed (R-safe-7). The end of this file lists the tables.
-- ---------------------------------------------------------------------------------------------------------------------

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Each row of evidence carries a checksum of all its columns. It shows a column that was changed with triggers disabled,
-- including columns that no hash chain covers. A migration that adds a column to such a table must recompute the checksums.
create function sum_of_row(columns jsonb) returns bytea language sql immutable parallel safe as $$
  select sha256(convert_to((columns - 'row_sum')::text, 'UTF8'))
$$;

-- Fixed settings, because the text of a timestamp or of bytes depends on the session.
create function sum_row() returns trigger language plpgsql set timezone to 'UTC' set bytea_output to 'hex' as $$
begin
  new.row_sum := sum_of_row(to_jsonb(new));
  return new;
end $$;

-- Primary keys of rows whose checksum does not match.
create function rows_changed(evidence regclass) returns table (id text)
language plpgsql stable set timezone to 'UTC' set bytea_output to 'hex' as $$
declare
  keys text := (
    select string_agg(format('e.%I::text', attname), ' || '' '' || ' order by array_position(indkey, attnum))
    from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = evidence and indisprimary);
begin
  return query execute format(
    'select %s from %s e where e.row_sum is distinct from sum_of_row(to_jsonb(e))', keys, evidence);
end $$;

-- Row count and combined checksum for each person, trade or deal. They show rows that were deleted, or inserted with triggers
-- disabled (R-deals-80, decision 30).
create table evidence_tallies (
  evidence text not null,
  -- The id that the rows belong to; 'all' where a table is tallied as a whole.
  about text not null,
  rows bigint not null,
  -- XOR of the checksums, which does not depend on the order of the rows.
  digest bit(256) not null,
  primary key (evidence, about)
) with (fillfactor = 80);

create function bits_of(sum bytea) returns bit(256) language sql immutable parallel safe as $$
  select ('x' || encode(sum, 'hex'))::bit(256)
$$;

-- Runs with the owner's rights: the serving role may only read tallies. Whoever inserts evidence already holds the lock of the
-- person, trade or deal, so the update adds no contention.
create function tally_row() returns trigger language plpgsql security definer as $$
begin
  insert into evidence_tallies as t (evidence, about, rows, digest)
    values (tg_table_name, case tg_nargs when 0 then 'all' else to_jsonb(new) ->> tg_argv[0] end, 1, bits_of(new.row_sum))
    on conflict (evidence, about) do update set rows = t.rows + 1, digest = t.digest # excluded.digest;
  return null;
end $$;

-- A temporary table must not shadow the tallies.
do $$
begin
  execute format('alter function tally_row() set search_path to %I, pg_temp', current_schema());
end $$;

-- The grouping key of a table's tallies, as an expression over a row `e`; null when the table has none.
create function tallied_by(evidence regclass) returns text language sql stable as $$
  select case tgnargs when 0 then '''all''' else format('e.%I::text', split_part(encode(tgargs, 'escape'), '\000', 1)) end
  from pg_trigger where tgrelid = evidence and tgfoid = to_regproc('tally_row')
$$;

-- Ids whose rows do not match their tally.
create function tallies_changed(evidence regclass) returns table (id text) language plpgsql stable as $$
declare
  about text := tallied_by(evidence);
begin
  if about is null then
    return query select 'all';
  else
    return query execute format(
      'select about from (select %s as about, count(*) as rows, bit_xor(bits_of(e.row_sum)) as digest from %s e group by 1) there
       full join (select t.about, t.rows, t.digest from evidence_tallies t where t.evidence = %L) tallied using (about)
       where tallied.rows is distinct from coalesce(there.rows, 0)
         or tallied.digest is distinct from coalesce(there.digest, 0::bit(256))
       order by about',
      about, evidence, (select relname from pg_class where oid = evidence));
  end if;
end $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Platform: idempotency, rate limits, jobs, keys, backups
-- ---------------------------------------------------------------------------------------------------------------------

-- The first answer to a change, replayed when the same key arrives again (Idempotency-Key).
create table idempotency_keys (
  owner text not null,
  key text not null,
  route text not null,
  body_hash bytea not null,
  status int not null,
  answer text not null,
  created_at timestamptz not null default keyturn_now(),
  primary key (owner, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
-- Finds the answer that created an account by the id it begins with, so that deleting the account deletes the answer.
create index idempotency_keys_by_answer on idempotency_keys (left(answer, 33));

-- Sent ahead of a request's first statement: its failure stops the statements that were pipelined behind it.
create function take_key(lock bigint) returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(lock) then
    raise exception 'another request holds the key' using errcode = 'lock_not_available', constraint = 'key_is_in_use';
  end if;
end
$$;

-- Rate-limit counters that guard accounts; shared by all processes.
create table throttles (
  bucket text primary key,
  count int not null,
  window_ends_at timestamptz not null,
  -- Attempts before this time are refused without being counted.
  free_at timestamptz not null
);
create index throttles_by_end on throttles (window_ends_at);

-- Background jobs, inserted in the transaction that causes them.
create table jobs (
  id bigint generated always as identity primary key,
  name text not null,
  -- At most one job for each key: adding it again reschedules it.
  key text unique,
  payload jsonb not null default '{}',
  -- Taking a job moves this ahead, so that a job whose worker hangs becomes due again.
  run_at timestamptz not null default keyturn_now(),
  attempts int not null default 0,
  -- The last taker; only that one may finish the job.
  claim bigint,
  -- Null before the first run, '' after a run without an error.
  failed_because text,
  -- Number of the process that has it, which holds an advisory lock of that number while it lives.
  held_by int,
  -- A delay is counted from here, so that it keeps its length when the clock steps back.
  counted_from timestamptz not null default keyturn_now(),
  -- run_at is a deadline that people were told, which does not move with the clock.
  is_moment boolean not null default false
);
create index jobs_of_kind on jobs (name, run_at, id);
create index jobs_held on jobs (held_by) where held_by is not null;
create index jobs_counted on jobs (counted_from) where not is_moment;
create index jobs_failing on jobs (name) where failed_because <> '';
create index jobs_by_id on jobs ((payload ->> 'id')) where payload ->> 'id' is not null;

create sequence job_marks as int cycle;

create function count_wait() returns trigger language plpgsql as $$
begin
  new.counted_from = keyturn_now();
  return new;
end $$;
create trigger wait_counted before update of run_at on jobs for each row execute function count_wait();

-- These three reschedule themselves.
insert into jobs (name, key) values
  ('clean-accounts', 'clean-accounts'), ('expire-accounts', 'expire-accounts'), ('sweep-pictures', 'sweep-pictures');

-- Keys that all servers of this database share, encrypted with SESSION_SECRET.
create table server_keys (
  name text primary key,
  encrypted bytea not null,
  -- SHA-256 of the key: it tells a server that already has the key when SESSION_SECRET is a different one.
  digest bytea not null
);

-- A backup without an end is running or was interrupted.
create table backups (
  id bigint generated always as identity primary key,
  began_at timestamptz not null default keyturn_now(),
  ended_at timestamptz,
  -- Null until the backup is complete.
  path text,
  failed_because text
);
create index backups_whole on backups (began_at desc) where path is not null;

-- Emails, deliveries and pushes are paused while one of these has no end: after a restore they may have been sent already.
create table outgoing_stops (
  id bigint generated always as identity primary key,
  because text not null,
  began_at timestamptz not null default keyturn_now(),
  ended_at timestamptz
);
create unique index one_outgoing_stop on outgoing_stops ((ended_at is null)) where ended_at is null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Accounts
-- ---------------------------------------------------------------------------------------------------------------------

create table users (
  id char(24) primary key,
  -- Null once the account is deleted: the address is free again, and the row stays for signed agreements.
  email text,
  -- A new address takes effect once it is verified.
  pending_email text,
  user_type text not null check (user_type in ('BUYER', 'SELLER', 'WHOLESALER')),
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  password_hash text not null,
  verified_at timestamptz,
  -- Of a wholesaler, by the administrator.
  approved_at timestamptz,
  declined_at timestamptz,
  -- A referral gives no rights.
  referred_by char(24),
  created_at timestamptz not null default keyturn_now(),
  deleted_at timestamptz,
  -- Hides from the other party when this person looks at a deal, and the other way round (R-deals-82).
  hides_presence boolean not null default false,
  check (deleted_at is not null or email is not null)
);
create unique index one_account_per_address on users (email) where email is not null;
create index wholesalers_newest on users (created_at desc) where user_type = 'WHOLESALER' and deleted_at is null;
create index users_by_pending_email on users (pending_email) where pending_email is not null;
create index users_gone on users (deleted_at) where deleted_at is not null;

-- A sign-in and everything refreshed from it. Tokens are stored as SHA-256 only.
create table sessions (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  signed_in_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  -- How long a refresh token may stay unused; shorter for roles that see other people's addresses.
  idle_seconds int not null,
  ended_at timestamptz,
  ended_because text,
  ip text,
  user_agent text,
  -- Of the browser, so that emails show times on the reader's clock.
  time_zone text check (length(time_zone) <= 64)
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_with_zone on sessions (user_id, signed_in_at desc) where time_zone is not null;
create index sessions_to_expire on sessions (expires_at) where ended_at is null;
create index sessions_by_end on sessions (least(expires_at, ended_at));

-- Every process closes the event streams of a session that ended.
create function tell_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('keyturn', json_build_object('endedSession', new.id)::text);
  return null;
end $$;
create trigger session_ended after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_session_end();

create table refresh_tokens (
  hash bytea primary key,
  session_id char(24) not null references sessions (id) on delete cascade,
  parent_hash bytea,
  created_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  -- When it was first presented for rotation, and when it was revoked unused.
  presented_at timestamptz,
  revoked_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create index refresh_tokens_by_parent on refresh_tokens (parent_hash);
-- Every minute expired rows are marked ('-infinity'), so that no clock that steps back revives them.
create index refresh_tokens_to_expire on refresh_tokens (expires_at) where expires_at > '-infinity';

create table access_tokens (
  hash bytea primary key,
  session_id char(24) not null references sessions (id) on delete cascade,
  refresh_hash bytea not null,
  expires_at timestamptz not null
);
create index access_tokens_of_session on access_tokens (session_id);
create index access_tokens_by_refresh on access_tokens (refresh_hash);
create index access_tokens_to_expire on access_tokens (expires_at);

-- The administrator's sessions have tables of their own, so that neither kind of token passes for the other.
create table admin_sessions (
  id char(24) primary key,
  -- User name and a digest of the password: changing either in the configuration ends the session.
  credentials text not null,
  signed_in_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  idle_seconds int not null,
  ended_at timestamptz,
  ended_because text,
  ip text,
  user_agent text,
  time_zone text check (length(time_zone) <= 64)
);
create index admin_sessions_to_expire on admin_sessions (expires_at) where ended_at is null;
create index admin_sessions_by_end on admin_sessions (least(expires_at, ended_at));

create table admin_refresh_tokens (
  hash bytea primary key,
  session_id char(24) not null references admin_sessions (id) on delete cascade,
  parent_hash bytea,
  created_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  presented_at timestamptz,
  revoked_at timestamptz
);
create index admin_refresh_tokens_of_session on admin_refresh_tokens (session_id);
create index admin_refresh_tokens_by_parent on admin_refresh_tokens (parent_hash);
create index admin_refresh_tokens_to_expire on admin_refresh_tokens (expires_at) where expires_at > '-infinity';

create table admin_access_tokens (
  hash bytea primary key,
  session_id char(24) not null references admin_sessions (id) on delete cascade,
  refresh_hash bytea not null,
  expires_at timestamptz not null
);
create index admin_access_tokens_of_session on admin_access_tokens (session_id);
create index admin_access_tokens_by_refresh on admin_access_tokens (refresh_hash);
create index admin_access_tokens_to_expire on admin_access_tokens (expires_at);

-- Codes sent by email: hashed, and bound to a user, a purpose and an address. Only the newest is valid.
create table email_codes (
  hash bytea primary key,
  user_id char(24) not null references users (id),
  -- login: the link in "Was this you?" signs in once.
  purpose text not null check (purpose in ('verify', 'reset', 'login')),
  address text not null,
  -- The car that led to the registration, so that a link that is sent again leads back to it.
  link_vin text,
  link_user_id char(24),
  created_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  superseded_at timestamptz
);
create index email_codes_of_user on email_codes (user_id, purpose);
create index email_codes_to_expire on email_codes (expires_at) where superseded_at is null;
create index email_codes_by_end on email_codes (expires_at);

-- Networks that somebody has signed in from. They have a rate limit of their own while others guess the password. The owner is
-- a user id or the administrator's credentials; the network is a hash.
create table known_networks (
  owner text not null,
  network bytea not null,
  last_used_at timestamptz not null default keyturn_now(),
  primary key (owner, network)
);
create index known_networks_by_age on known_networks (last_used_at);

-- Evidence. Names of changed fields, never their values, so the rows stay when the person leaves.
create table account_events (
  id bigint generated always as identity primary key,
  user_id char(24) not null references users (id),
  at timestamptz not null default keyturn_now(),
  -- CODE: the holder of a code that was sent to the address.
  actor text not null check (actor in ('PERSON', 'CODE', 'ADMIN')),
  event text not null check (event in
    ('registered', 'edited', 'verified', 'passwordChanged', 'passwordReset', 'approved', 'declined', 'deleted')),
  fields text[] not null default '{}',
  session_id char(24),
  row_sum bytea not null default ''
);
create index account_events_of_user on account_events (user_id, id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Email
-- ---------------------------------------------------------------------------------------------------------------------

-- Outbox and development mailbox: inserted with the change that causes the email, sent after it.
create table mails (
  id char(24) primary key,
  recipient text not null,
  subject text not null,
  html text not null,
  text text not null,
  created_at timestamptz not null default keyturn_now(),
  -- An email whose code has expired is not sent.
  good_until timestamptz,
  sent_at timestamptz,
  attempts int not null default 0,
  failed_because text,
  -- Refused permanently, or tried for a day.
  dead_at timestamptz,
  -- The email is deleted with this account. Null: a farewell.
  user_id char(24) references users (id),
  -- A file that goes along, as `kind:id`; its module makes it when the email leaves.
  attachment text,
  -- The preference that turns it off; null: required by the account or by law, and neither held back nor joined.
  kind text,
  -- Emails of one deal form one thread in the mailbox.
  thread char(24),
  -- The parts it was written from, while others may still be joined to it.
  letter jsonb,
  -- Set with the final text at the first attempt, so that a duplicate is the same email.
  message_id text unique,
  begun_at timestamptz,
  -- When it was queued, or queued again by the administrator; it is given up a day later.
  queued_at timestamptz not null default keyturn_now(),
  -- Its reader had enough emails in this hour; it leaves with the next one.
  held_back boolean not null default false,
  -- It was sent as a part of this one.
  joined_into char(24) references mails (id) on delete cascade,
  -- What it reports, so that an email that nobody needs any more is not sent.
  event text,
  audience text,
  constraint only_a_person_has_switches check (kind is null or user_id is not null),
  constraint what_has_begun_has_a_message_id check (begun_at is null or message_id is not null),
  constraint a_mail_ends_in_one_way check (num_nonnulls(sent_at, dead_at, joined_into) <= 1)
);
create index mails_newest on mails (created_at desc, id desc);
create index mails_of_user on mails (user_id);
create index mails_unsent on mails (created_at desc, id desc) where sent_at is null and joined_into is null;
create index mails_joined on mails (joined_into) where joined_into is not null;
create index mails_gone on mails (coalesce(sent_at, dead_at));
create index mails_dead on mails (dead_at) where dead_at is not null and html <> '';

-- Addresses that bounced. A person who changes or verifies the address again gets emails again.
create table mail_bounces (
  user_id char(24) not null references users (id),
  address text not null,
  at timestamptz not null default keyturn_now(),
  because text not null,
  primary key (user_id, address)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Photos and cars
-- ---------------------------------------------------------------------------------------------------------------------

-- Photo files are stored in the data folder or an object store under this id. The row is inserted before the first file and
-- deleted after the last, so no file is ever without one.
create table pictures (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  width int not null check (width between 1 and 1920),
  created_at timestamptz not null default keyturn_now(),
  -- Deleted after this time unless something refers to it. Null: something does.
  sweep_after timestamptz
);
create index pictures_to_sweep on pictures (sweep_after) where sweep_after is not null;

create function are_photos(photos jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 20
    and jsonb_array_length(photos) = (select count(distinct one ->> 'id') from jsonb_array_elements(photos) one)
    and not exists (
      select from jsonb_array_elements(photos) one
      where (one ->> 'id' ~ '^[0-9a-f]{64}$' and (one ->> 'width')::int between 1 and 1920
        and (one ->> 'height')::int between 1 and 2560 and length(one ->> 'placeholder') between 1 and 64
        and length(one ->> 'caption') <= 120) is not true
    )
$$;

create table cars (
  id char(24) primary key,
  seller_id char(24) not null references users (id),
  vin text not null,
  make text not null,
  model text not null,
  year int not null,
  trim text not null,
  -- From the VIN decoder; null: not looked up, or unknown.
  body_class text,
  mileage int not null check (mileage > 0),
  color text not null,
  -- The seller still owes money on the car.
  payoff boolean not null,
  zip_code text,
  message text not null default '',
  -- None of these four is part of the agreement (R-cars-29).
  description text not null default '' check (length(description) <= 1000),
  condition text not null default '' check (length(condition) <= 300),
  owners int check (owners between 1 and 99),
  title_holder text check (title_holder in ('SELLER', 'LENDER')),
  -- In order, in the car's own row, so that showing a car stays one read of one row.
  photos jsonb not null default '[]' constraint cars_have_photos check (photos = '[]' or are_photos(photos)),
  -- The asking price; null: to be agreed.
  price_cents bigint check (price_cents between 100 and 1000000000),
  -- Incremented by every change of a term that is signed; never decreases.
  terms_version int not null default 1,
  terms_at timestamptz not null default keyturn_now(),
  version bigint not null default nextval('row_versions'),
  -- Somebody has begun to buy it at some time. Changing a car without buyers then needs the lock of this row alone.
  is_wanted boolean not null default false,
  created_at timestamptz not null default keyturn_now(),
  completed_at timestamptz,
  deleted_at timestamptz,
  removed_because text
);
-- One live listing for each VIN over all sellers, so that a VIN alone names one car.
create unique index one_live_listing_per_vin on cars (vin) where deleted_at is null and completed_at is null;
-- Includes deleted cars: deleting an account erases what it wrote in them as well.
create index cars_of_seller on cars (seller_id, created_at desc);
create index cars_of_seller_by_vin on cars (seller_id, vin) where deleted_at is null;
create index cars_newest on cars (created_at desc, id desc) where deleted_at is null;
create index cars_by_photo on cars using gin (photos jsonb_path_ops) where photos <> '[]';

-- Answers of the VIN decoder, because a lookup is slow. A VIN without an answer is remembered too.
create table vin_answers (
  vin text primary key,
  make text,
  model text,
  year int,
  trim text,
  body_class text,
  asked_at timestamptz not null default keyturn_now()
);
create index vin_answers_unknown on vin_answers (asked_at) where make is null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Trades
-- ---------------------------------------------------------------------------------------------------------------------

create table trades (
  id char(24) primary key,
  owner_id char(24) not null references users (id),
  vin text not null,
  make text not null,
  model text not null,
  year int not null,
  trim text not null,
  body_class text,
  mileage int not null check (mileage > 0),
  color text not null,
  zip_code text not null,
  payoff boolean not null,
  message text not null default '',
  photos jsonb not null default '[]' constraint trades_have_photos check (photos = '[]' or are_photos(photos)),
  -- OFFERED: a wholesaler's offer. OFFER: the owner's counter.
  status text not null default 'PENDING' check (status in ('PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED')),
  price_cents bigint check (price_cents between 1 and 1000000000),
  tax_credit_cents bigint check (tax_credit_cents >= 0),
  -- The rate that the credit was computed with, as the lookup answered it; a word when there was none.
  tax_rate text,
  -- When the status last changed: how long somebody has been waiting.
  moved_at timestamptz not null default keyturn_now(),
  -- Seven days after the offer.
  offer_expires_at timestamptz,
  -- The wholesaler of the last offer.
  offered_by char(24) references users (id),
  -- The last offer expired: shown to both sides until the next move, and told once.
  expired_price_cents bigint,
  expired_at timestamptz,
  -- The last notification about the offer's time: a day is left, or it has expired.
  offer_told text check (offer_told in ('REMINDED', 'ENDED')),
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  deleted_at timestamptz,
  -- Sorts the wholesalers' list: trades that wait for an offer first, longest wait first, then the others, newest first. A single
  -- column lets one index serve a page. Waiting trades sort at the year 2900 (29348006400) minus the time since when they wait.
  list_place timestamptz generated always as (
    case when status in ('PENDING', 'OFFER')
      then to_timestamp(29348006400 - extract(epoch from (moved_at - timestamptz '1970-01-01 00:00:00+00'))::float8)
      else created_at
    end
  ) stored,
  check ((price_cents is null) = (status = 'PENDING')),
  check ((price_cents is null) = (tax_credit_cents is null)),
  check ((offer_expires_at is null) = (status <> 'OFFERED')),
  constraint an_ended_offer_has_price_and_time check ((expired_at is null) = (expired_price_cents is null)),
  constraint an_ended_offer_waits_for_another check (expired_at is null or status = 'PENDING')
);
create unique index one_trade_per_owner_and_vin on trades (owner_id, vin) where deleted_at is null;
create index trades_of_owner on trades (owner_id, created_at desc, id desc);
create index trades_listed on trades (list_place desc, id desc) where deleted_at is null;
create index trades_listed_by_status on trades (status, list_place desc, id desc) where deleted_at is null;
create index trades_offered_by on trades (offered_by) where status = 'OFFERED' and deleted_at is null;
create index trades_offers_due on trades (offer_expires_at) where status = 'OFFERED' and deleted_at is null;
create index trades_untold_ends on trades (expired_at)
  where expired_at is not null and deleted_at is null and offer_told is distinct from 'ENDED';
create index trades_by_photo on trades using gin (photos jsonb_path_ops) where photos <> '[]';

-- Evidence. Every submission, offer, counter, answer, reset and expiry.
create table trade_events (
  id bigint generated always as identity primary key,
  trade_id char(24) not null references trades (id),
  at timestamptz not null default keyturn_now(),
  actor text not null check (actor in ('OWNER', 'WHOLESALER', 'ADMIN', 'CLOCK')),
  actor_id char(24),
  event text not null check (event in ('submit', 'offer', 'accept', 'reject', 'counter', 'forfeit', 'reset', 'expire', 'delete')),
  -- After the event.
  status text not null,
  price_cents bigint,
  tax_credit_cents bigint,
  tax_rate text,
  version bigint not null,
  session_id char(24),
  request_id text,
  row_sum bytea not null default ''
);
-- An event makes one version of a trade, so two moves never follow the same one.
create unique index trade_events_of_trade on trade_events (trade_id, version);

-- ---------------------------------------------------------------------------------------------------------------------
-- Dealers
-- ---------------------------------------------------------------------------------------------------------------------

-- The buyers of signed deals (R-deals-73). Empty columns of the default dealer come from settings.
create table dealers (
  id char(24) primary key,
  name text,
  webhook_url text,
  -- Encrypted, so that a reader of this table can sign nothing.
  secrets bytea,
  email text,
  phone text,
  hours text,
  active boolean not null default true,
  is_default boolean not null default false,
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  constraint a_dealer_has_a_name check (is_default or name is not null),
  constraint the_default_dealer_is_active check (active or not is_default)
);
create unique index one_default_dealer on dealers (is_default) where is_default;
insert into dealers (id, is_default) values (substr(md5(random()::text || clock_timestamp()::text), 1, 24), true);

-- ZIP code ranges of a dealer, as numbers.
create table dealer_areas (
  dealer_id char(24) not null references dealers (id),
  first_zip int not null check (first_zip >= 0),
  last_zip int not null check (last_zip <= 99999),
  primary key (dealer_id, first_zip, last_zip),
  constraint an_area_ends_after_it_begins check (first_zip <= last_zip)
);

-- The dealer of a car's ZIP code, by the same rule as contract/deals/dealers.
create function dealer_for(zip text) returns char(24) language sql stable as $$
  select coalesce(
    (select dealers.id from dealer_areas join dealers on dealers.id = dealer_areas.dealer_id
     where dealers.active and zip is not null
     order by greatest(first_zip - zip::int, zip::int - last_zip, 0), last_zip - first_zip, dealers.created_at, dealers.id
     limit 1),
    (select id from dealers where is_default))
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Deals
-- ---------------------------------------------------------------------------------------------------------------------

-- One buyer's progress, request and agreement for one car.
create table deals (
  id char(24) primary key,
  car_id char(24) not null references cars (id),
  seller_id char(24) not null references users (id),
  buyer_id char(24) not null references users (id),
  -- STARTED: the wizard has begun, and there is no request yet.
  status text not null default 'STARTED' check (status in ('STARTED', 'PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED')),
  price_cents bigint check (price_cents between 100 and 1000000000),
  -- The seller's note to a denial.
  seller_message text not null default '',
  active_step int not null default 0 check (active_step between 0 and 6),
  -- The highest stage ever reached: the buyerStep flags of the API are true up to it.
  reached_step int not null default 0 check (reached_step between 0 and 6),
  has_trade boolean,
  needs_financing boolean,
  financing jsonb,
  -- VINs that the buyer has checked; a request turns them into rows of deal_trades.
  chosen_trade_vins text[] not null default '{}',
  terms_version int not null default 1,
  terms_at timestamptz not null default keyturn_now(),
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  requested_at timestamptz,
  accepted_at timestamptz,
  -- End of the 72-hour hold; set by the seller's signature.
  exclusive_until timestamptz,
  -- Set when the hold ended without the buyer's signature; cleared when the seller confirms again.
  lapsed_at timestamptz,
  -- Both have signed, and the deal goes to its dealer.
  passed_at timestamptz,
  package_id char(24) unique,
  completed_at timestamptz,
  withdrawn_at timestamptz,
  -- The request ended because the car was sold to another buyer (R-deals-55).
  sold_elsewhere boolean not null default false,
  dealer_id char(24) references dealers (id),
  check (buyer_id <> seller_id),
  check (status = 'STARTED' or price_cents is not null),
  check ((passed_at is null) = (package_id is null)),
  check (status <> 'COMPLETED' or passed_at is not null),
  constraint only_what_ended_was_sold_elsewhere check (not sold_elsewhere or withdrawn_at is not null),
  constraint a_passed_deal_has_a_dealer check ((passed_at is null) = (dealer_id is null))
);
create unique index one_deal_per_buyer_and_car on deals (car_id, buyer_id) where withdrawn_at is null;
-- At most one accepted buyer for each car at any time, whatever the code does.
create unique index one_accepted_buyer_per_car on deals (car_id) where status in ('ACCEPTED', 'COMPLETED') and withdrawn_at is null;
create index deals_of_car on deals (car_id, requested_at);
create index deals_of_buyer on deals (buyer_id, created_at desc);
create index deals_of_seller on deals (seller_id, buyer_id);
create index deals_held on deals (exclusive_until)
  where status = 'ACCEPTED' and passed_at is null and exclusive_until is not null and withdrawn_at is null;
create index deals_passed on deals (passed_at desc, id desc) where passed_at is not null;
create index deals_sold_elsewhere on deals (buyer_id, withdrawn_at) where sold_elsewhere;

-- The states of a deal, by the same rules as contract/deals/rules.ts. The planner inlines these functions, so the partial
-- indexes above serve them.

-- The buyer has the car: confirmed, or sold to.
create function is_taken(deal_status text) returns boolean language sql immutable as $$
  select deal_status in ('ACCEPTED', 'COMPLETED')
$$;

-- A request that can be confirmed, or was.
create function is_standing(deal_status text) returns boolean language sql immutable as $$
  select deal_status in ('PENDING', 'ACCEPTED', 'COMPLETED')
$$;

-- The 72 hours are over without the buyer's signature.
create function hold_is_over(deal deals) returns boolean language sql stable as $$
  select deal.status = 'ACCEPTED' and deal.passed_at is null and deal.withdrawn_at is null
    and deal.exclusive_until is not null and deal.exclusive_until <= keyturn_now()
$$;

-- The car is promised or sold in this deal. A hold that is over does not count, even before a job has settled it.
create function has_car(deal deals) returns boolean language sql stable as $$
  select is_taken(deal.status) and deal.withdrawn_at is null and not hold_is_over(deal)
$$;

-- Messages are open: the request is pending or confirmed, and the deal is not over.
create function takes_messages(deal deals) returns boolean language sql immutable as $$
  select deal.status in ('PENDING', 'ACCEPTED') and deal.withdrawn_at is null
$$;

-- The state of a deal in the metrics.
create function counted_state(deal deals) returns text language sql immutable as $$
  select case
    when deal.withdrawn_at is not null then case when deal.passed_at is null then 'ended' else 'called_off' end
    when deal.status = 'ACCEPTED' and deal.passed_at is not null then 'passed'
    else lower(deal.status)
  end
$$;

create function note_wanted_car() returns trigger language plpgsql as $$
begin
  update cars set is_wanted = true where id = new.car_id and not is_wanted;
  return null;
end $$;
create trigger deals_make_cars_wanted after insert on deals for each row execute function note_wanted_car();

-- Names are part of the signed terms: an open deal gets a new version when a party's name changes.
create function names_of_deals_changed() returns trigger language plpgsql as $$
begin
  update deals set version = nextval('row_versions')
  where (seller_id = new.id or buyer_id = new.id) and withdrawn_at is null and passed_at is null;
  return null;
end $$;
create trigger names_in_the_terms after update of first_name, last_name on users for each row
when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
execute function names_of_deals_changed();

-- Deals for each state, as changes to add up: rows are only inserted, so two changes never wait for one counter row. A job
-- folds them into one row for each state every hour (decision 51).
create table deal_counts (
  id bigint generated always as identity primary key,
  state text not null,
  change bigint not null
);

create function count_deal() returns trigger language plpgsql as $$
begin
  insert into deal_counts (state, change)
    select state, sum(change) from (values
      (case when tg_op <> 'INSERT' then counted_state(old) end, -1),
      (case when tg_op <> 'DELETE' then counted_state(new) end, 1)
    ) as counted (state, change)
    where state is not null group by state having sum(change) <> 0;
  return null;
end $$;
create trigger count_new_deal after insert or delete on deals for each row execute function count_deal();
create trigger count_moved_deal after update of status, passed_at, withdrawn_at on deals for each row
  when (counted_state(old) is distinct from counted_state(new)) execute function count_deal();

-- A trade serves one live deal: the trade is the primary key.
create table deal_trades (
  trade_id char(24) primary key references trades (id),
  deal_id char(24) not null references deals (id)
);
create index deal_trades_of_deal on deal_trades (deal_id);

-- A trade's value is part of the signed terms. No endpoint changes a trade that a request holds; a statement that does so anyway
-- changes the deal's terms, so no signature covers a value that is gone.
create function trade_terms_changed() returns trigger language plpgsql as $$
begin
  if exists (select 1 from deal_trades join deals on deals.id = deal_trades.deal_id
             where deal_trades.trade_id = new.id and deals.passed_at is not null) then
    raise exception 'what both have signed about a trade is never changed';
  end if;
  update deals set terms_version = terms_version + 1, terms_at = keyturn_now(), version = nextval('row_versions')
  where id = (select deal_id from deal_trades where trade_id = new.id);
  return new;
end $$;
create trigger trades_in_the_terms after update of vin, year, make, model, price_cents on trades for each row
when ((old.vin, old.year, old.make, old.model, old.price_cents) is distinct from (new.vin, new.year, new.make, new.model, new.price_cents))
execute function trade_terms_changed();

-- The photos that the parties were shown when they signed. A deal that both have signed keeps them.
create table deal_photos (
  deal_id char(24) not null references deals (id),
  picture_id text not null references pictures (id),
  photo jsonb not null,
  -- The terms when it was last shown.
  car_terms_version int not null,
  deal_terms_version int not null,
  primary key (deal_id, picture_id)
);
create index deal_photos_by_picture on deal_photos (picture_id);

-- A deal that ends before both have signed releases its photos; those that nothing refers to are swept.
create function forget_shown_photos() returns trigger language plpgsql as $$
begin
  with gone as (delete from deal_photos where deal_id = new.id returning picture_id)
  update pictures set sweep_after = keyturn_now() where id in (select picture_id from gone) and sweep_after is null;
  return null;
end $$;
create trigger an_ended_deal_forgets_photos after update of withdrawn_at on deals for each row
  when (old.withdrawn_at is null and new.withdrawn_at is not null and new.passed_at is null)
  execute function forget_shown_photos();

-- Evidence. The timeline and the audit trail of a deal, each row chained to the one before it.
create table deal_events (
  id bigint generated always as identity primary key,
  deal_id char(24) not null references deals (id),
  at timestamptz not null default keyturn_now(),
  actor text not null check (actor in ('SELLER', 'BUYER', 'CLOCK', 'ADMIN', 'DEALER')),
  actor_id char(24),
  event text not null,
  "from" text,
  "to" text,
  facts jsonb,
  session_id char(24),
  request_id text,
  ip text,
  previous_hash bytea,
  hash bytea not null,
  row_sum bytea not null default '',
  check (facts is null or ("from" is null and "to" is null and facts ->> 'event' = event))
);
create index deal_events_of_deal on deal_events (deal_id, id);

-- Appends to the chain of a deal, whose lock the caller holds.
create function record_deal_facts(
  deal char(24), who text, who_id char(24), what jsonb, session char(24), request text, address text
) returns void language sql as $$
  insert into deal_events (deal_id, actor, actor_id, event, facts, session_id, request_id, ip, previous_hash, hash)
  select deal, who, who_id, what ->> 'event', what, session, request, address, last.hash,
    sha256(coalesce(last.hash, '') || convert_to(
      jsonb_build_array(deal, extract(epoch from keyturn_now()), who, who_id, what, session, request, address)::text, 'UTF8'))
  from (select 1) as one
  left join lateral (select hash from deal_events where deal_id = deal order by id desc limit 1) as last on true
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Agreements: signatures, consents, the package, sealed PDFs, the log of evidence. All of it is evidence.
-- ---------------------------------------------------------------------------------------------------------------------

-- Each row is chained to the one before it on the same deal.
create table signatures (
  id char(24) primary key,
  -- The order of the chain, which may differ from the order in which transactions began.
  number bigint generated always as identity,
  deal_id char(24) not null references deals (id),
  party text not null check (party in ('SELLER', 'BUYER')),
  signer_id char(24) not null references users (id),
  signer_email text not null,
  signer_verified_at timestamptz not null,
  session_id char(24) not null,
  name text not null,
  signature text not null,
  -- Strokes of a drawn signature.
  drawing text check (length(drawing) between 1 and 8000),
  -- A signature counts while these are the current versions of car and deal.
  car_terms_version int not null,
  deal_terms_version int not null,
  -- The exact bytes of the facts, and their SHA-256.
  terms text not null,
  terms_hash bytea not null,
  -- The exact bytes of the sheet that was signed, every sentence and every fact, and their SHA-256.
  sheet text,
  sheet_hash bytea,
  text_version text not null,
  consent_version text,
  signed_at timestamptz not null default keyturn_now(),
  ip text,
  user_agent text,
  previous_hash bytea,
  hash bytea not null,
  -- What `hash` covers. 1: the facts and the version of the text. 2: the sheet. 3: the sheet and the drawing.
  hashed_as smallint not null check (hashed_as in (1, 2, 3)),
  row_sum bytea not null default '',
  check ((hashed_as = 1) = (sheet is null)),
  check ((sheet is null) = (sheet_hash is null)),
  check (sheet_hash = sha256(convert_to(sheet, 'UTF8'))),
  check (drawing is null or hashed_as >= 3)
);
create unique index one_signature_per_party_and_terms on signatures (deal_id, party, car_terms_version, deal_terms_version);

-- Consents to sign electronically, and their withdrawals; a person's last row is the current state.
create table consents (
  id bigint generated always as identity primary key,
  person_id char(24) not null references users (id),
  deed text not null check (deed in ('given', 'withdrawn')),
  -- The released text that was shown.
  version text not null,
  at timestamptz not null default keyturn_now(),
  session_id char(24) not null,
  ip text,
  user_agent text,
  previous_hash bytea,
  hash bytea not null,
  row_sum bytea not null default ''
);
create index consents_of_person on consents (person_id, id);

-- Appends to the chain of a person, whose lock the caller holds, unless the state stays the same.
create function record_consent(
  person char(24), what text, text_version text, session char(24), address text, agent text
) returns void language sql as $$
  insert into consents (person_id, deed, version, session_id, ip, user_agent, previous_hash, hash)
  select person, what, about.version, session, address, agent, last.hash,
    sha256(coalesce(last.hash, '') || convert_to(
      jsonb_build_array(person, what, about.version, extract(epoch from keyturn_now()), session, address, agent)::text, 'UTF8'))
  from (select 1) as one
  left join lateral (select * from consents where person_id = person order by id desc limit 1) as last on true
  cross join lateral (select case what when 'withdrawn' then last.version else text_version end as version) as about
  where case what
    when 'withdrawn' then last.deed = 'given'
    else (last.deed, last.version) is distinct from ('given', text_version)
  end
$$;

-- What both signed, frozen.
create table packages (
  id char(24) primary key,
  deal_id char(24) not null unique references deals (id),
  contents jsonb not null,
  created_at timestamptz not null default keyturn_now(),
  row_sum bytea not null default ''
);

-- Certificates of all keys that ever sealed a PDF: a PDF can be checked after its key is out of use.
create table seal_certificates (
  fingerprint bytea primary key,
  certificate bytea not null,
  first_used_at timestamptz not null default keyturn_now(),
  row_sum bytea not null default '',
  check (fingerprint = sha256(certificate))
);

-- The signed agreement in each paper size, made once and stored byte for byte.
create table agreement_pdfs (
  package_id char(24) not null references packages (id),
  size text not null check (size in ('Letter', 'A4')),
  bytes bytea not null,
  digest bytea not null,
  made_at timestamptz not null default keyturn_now(),
  sealed_with bytea not null references seal_certificates (fingerprint),
  row_sum bytea not null default '',
  primary key (package_id, size),
  check (digest = sha256(bytes))
);
-- A PDF is compressed already.
alter table agreement_pdfs alter column bytes set storage external;

-- An append-only log of all signatures and packages (R-deals-63), hashed as in RFC 6962. Places have no gaps: the log's lock is
-- held until the commit.
create table log_leaves (
  place bigint primary key check (place >= 0),
  kind text not null check (kind in ('signature', 'package')),
  row_id char(24) not null,
  digest bytea not null unique check (length(digest) = 32),
  row_sum bytea not null default '',
  unique (kind, row_id)
);

-- A node covers 2^level leaves from place * 2^level on. Every head and every proof is made of a few of them.
create table log_nodes (
  level smallint not null check (level between 0 and 62),
  place bigint not null check (place >= 0),
  hash bytea not null check (length(hash) = 32),
  row_sum bytea not null default '',
  primary key (level, place)
);

create table log_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  verifier text not null,
  first_used_at timestamptz not null default keyturn_now(),
  row_sum bytea not null default ''
);

-- Every signed head of the log.
create table log_heads (
  size bigint primary key check (size > 0),
  root bytea not null check (length(root) = 32),
  at timestamptz not null default keyturn_now(),
  key_id text not null references log_keys (id),
  note text not null,
  row_sum bytea not null default ''
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Delivery to dealers, their answers, and the built-in dealer desk
-- ---------------------------------------------------------------------------------------------------------------------

-- One row for each event (R-deals-74). Its id stays the same however often it is sent.
create table deliveries (
  id char(24) primary key,
  -- The order of the events of a deal.
  number bigint generated always as identity,
  -- Null: a test, which is about no deal.
  deal_id char(24) references deals (id),
  dealer_id char(24) not null references dealers (id),
  kind text not null check (kind in ('deal.passed', 'deal.financing', 'test')),
  way text not null check (way in ('webhook', 'mail')),
  state text not null default 'WAITING' check (state in ('WAITING', 'DELIVERED', 'PARKED')),
  -- SHA-256 of the last body that was sent.
  payload_digest bytea check (length(payload_digest) = 32),
  -- Since it was requested, or requested again by the administrator.
  tries int not null default 0 check (tries >= 0),
  next_try_at timestamptz not null default keyturn_now(),
  give_up_at timestamptz not null default keyturn_now() + interval '3 days',
  created_at timestamptz not null default keyturn_now(),
  ended_at timestamptz,
  constraint one_delivery_of_each_event unique (deal_id, kind, way),
  constraint only_a_test_has_no_deal check ((kind = 'test') = (deal_id is null)),
  constraint what_waits_has_not_ended check ((state = 'WAITING') = (ended_at is null))
);
create index deliveries_of_deal on deliveries (deal_id, number) where state = 'WAITING';
create index deliveries_by_age on deliveries (created_at desc, id desc);
create index deliveries_parked on deliveries (ended_at) where state = 'PARKED' and kind <> 'test';
create index deliveries_passed on deliveries (deal_id) where kind = 'deal.passed';

-- Evidence. Each attempt and its outcome.
create table delivery_tries (
  delivery_id char(24) not null references deliveries (id),
  at timestamptz not null default keyturn_now(),
  number int not null check (number > 0),
  ms int not null check (ms >= 0),
  status int,
  -- Why the attempt failed; null: it succeeded.
  because text,
  row_sum bytea not null default '',
  primary key (delivery_id, number)
);

-- Evidence. Each call of a dealer once: the same webhook id again changes nothing (R-deals-75).
create table partner_calls (
  dealer_id char(24) not null references dealers (id),
  webhook_id text not null check (length(webhook_id) between 1 and 255),
  package_id char(24) not null references packages (id),
  body_digest bytea not null check (length(body_digest) = 32),
  at timestamptz not null default keyturn_now(),
  row_sum bytea not null default '',
  primary key (dealer_id, webhook_id)
);

-- The deals that the built-in dealer desk has received, and its last answer to each. It is kept as a dealer's own system would,
-- so it does not reference the tables of deals.
create table desk_deals (
  package_id char(24) primary key,
  car text not null,
  vin text not null,
  -- The last answer; null: none yet.
  step text,
  step_at timestamptz,
  is_done boolean not null default false,
  received_at timestamptz not null default keyturn_now(),
  constraint a_step_has_a_time check ((step is null) = (step_at is null))
);
create index desk_deals_by_age on desk_deals (is_done, received_at, package_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- Messages between the two parties of a deal (R-deals-83). They are not evidence.
-- ---------------------------------------------------------------------------------------------------------------------

create table deal_messages (
  id char(24) primary key,
  -- The order within a deal, whose row is locked during the insert.
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

-- The last message of the other party that a person has seen.
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
create index message_reports_by on message_reports (reporter_id);

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

-- ---------------------------------------------------------------------------------------------------------------------
-- Notifications: in the app, and pushes to browsers
-- ---------------------------------------------------------------------------------------------------------------------

create table notifications (
  id char(24) primary key,
  -- Null: one notification for all approved wholesalers.
  recipient_id char(24) references users (id),
  type text not null check (type in ('TRADE_OFFERED', 'PRICE_UPDATED', 'Seller_Agreement', 'Buyer_Offer', 'Buyer_Agreement')),
  message text not null,
  -- The text for wholesalers: no contact data, no prices of the sale. Empty: not shown to them.
  public_message text not null,
  -- In milliseconds, like the cursor of a list: a finer time would be listed twice or never.
  created_at timestamptz(3) not null default keyturn_now(),
  -- The person whom the text names; when they leave, the notification goes on without them.
  about_id char(24) references users (id),
  -- Event and audience in the table of contract/notifications/events.ts, and the deal or trade. Neither has a foreign key: deals and
  -- trades are never deleted, and checking one would lock the deal of a bystander.
  event text,
  audience text,
  deal_id char(24),
  trade_id char(24),
  constraint an_event_has_an_audience check ((event is null) = (audience is null)),
  constraint an_event_is_about_something check (event is null or (deal_id is null) <> (trade_id is null)),
  constraint without_recipient_for_wholesalers check (recipient_id is not null or audience is not distinct from 'WHOLESALERS')
);
create index notifications_of_recipient on notifications (recipient_id, created_at desc, id desc);
create index notifications_about on notifications (about_id) where about_id is not null;
create index notifications_to_wholesalers on notifications (created_at desc, id desc) where recipient_id is null;
-- Exactly what a wholesaler's list shows, so that a page reads no other rows.
create index notifications_of_market on notifications (created_at desc, id desc)
  where type <> 'TRADE_OFFERED' and public_message <> '';

-- Read state belongs to the reader: a wholesaler's click never marks it read for the recipient. The reader comes first in the
-- key, so a join meets no other reader's rows.
create table notification_reads (
  user_id char(24) not null references users (id),
  notification_id char(24) not null references notifications (id),
  read_at timestamptz not null default keyturn_now(),
  primary key (user_id, notification_id)
);

-- "Mark all as read", as one row for each person.
create table notification_marks (
  user_id char(24) primary key references users (id),
  read_to timestamptz(3) not null,
  read_to_id char(24) not null
);

-- Kinds that a person turned off for a channel; without a row they are on. The list in the app shows everything.
create table switched_off (
  user_id char(24) not null references users (id),
  kind text not null check (kind in
    ('requests', 'answers', 'messages', 'signing', 'dealer', 'offers', 'ownOffers', 'newTrades', 'reminders')),
  channel text not null check (channel in ('mail', 'push')),
  at timestamptz not null default keyturn_now(),
  primary key (user_id, kind, channel)
);

-- Browsers that get pushes because their person asked for it there. The endpoint is a secret.
create table push_devices (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  -- The session that asked last; null once that session's row is deleted.
  session_id char(24) references sessions (id) on delete set null,
  endpoint text not null constraint one_device_per_endpoint unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  name text not null,
  added_at timestamptz not null default keyturn_now(),
  seen_at timestamptz not null default keyturn_now(),
  -- Failures in a row, and how long the device is left alone after them.
  failures int not null default 0,
  rests_until timestamptz
);
create unique index one_device_per_session on push_devices (session_id) where session_id is not null;
create index push_devices_of_user on push_devices (user_id, seen_at desc);

-- A session that is ended on purpose (signing out, a new password, the administrator) ends the pushes of its browser. A session that
-- only expires does not.
create function switch_push_off() returns trigger language plpgsql as $$
begin
  delete from push_devices where session_id = new.id;
  return null;
end $$;
create trigger session_ended_switches_push_off after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null) execute function switch_push_off();

-- Pushes that are not sent yet; deleted once they are sent or pointless.
create table pushes (
  -- The notification's id, where there is one.
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

-- ---------------------------------------------------------------------------------------------------------------------
-- Guards of the evidence. The second column groups a table's tallies; null: one tally for the whole table.
-- ---------------------------------------------------------------------------------------------------------------------

do $$
declare
  evidence text;
  about text;
begin
  for evidence, about in values
    ('account_events', 'user_id'), ('trade_events', 'trade_id'), ('deal_events', 'deal_id'), ('signatures', 'deal_id'),
    ('consents', 'person_id'), ('packages', 'deal_id'), ('agreement_pdfs', 'package_id'), ('delivery_tries', 'delivery_id'),
    ('partner_calls', 'package_id'), ('seal_certificates', null), ('log_leaves', null), ('log_nodes', null), ('log_keys', null),
    ('log_heads', null)
  loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change()',
      evidence || '_stay', evidence);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
      evidence || '_stay_whole', evidence);
    execute format('create trigger summed before insert or update on %I for each row execute function sum_row()', evidence);
    execute format('create trigger tallied after insert on %I for each row execute function tally_row(%s)',
      evidence, coalesce(quote_literal(about), ''));
  end loop;
end $$;
