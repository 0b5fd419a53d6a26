create table users (
  id char(24) primary key,
  -- Null once the account is deleted: the address is free again, the row stays for signed agreements.
  email text,
  pending_email text,
  user_type text not null check (user_type in ('BUYER', 'SELLER', 'WHOLESALER')),
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  password_hash text not null,
  verified_at timestamptz,
  approved_at timestamptz,
  declined_at timestamptz,
  -- Referral only, no rights (decisions A17).
  referred_by char(24),
  created_at timestamptz not null default keyturn_now(),
  deleted_at timestamptz,
  check (deleted_at is not null or email is not null)
);
create unique index one_account_per_address on users (email) where email is not null;
create index wholesalers_newest on users (created_at desc) where user_type = 'WHOLESALER' and deleted_at is null;
-- Who waits for the verification of this address.
create index users_by_pending_email on users (pending_email) where pending_email is not null;

-- A sign-in and all that was refreshed from it. Tokens are stored as SHA-256 only.
create table sessions (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  signed_in_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  -- How long a refresh token may lie unused: shorter for those who see other people's addresses.
  idle_seconds int not null,
  ended_at timestamptz,
  ended_because text,
  ip text,
  user_agent text
);
create index sessions_of_user on sessions (user_id) where ended_at is null;

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

create table access_tokens (
  hash bytea primary key,
  session_id char(24) not null references sessions (id) on delete cascade,
  refresh_hash bytea not null,
  expires_at timestamptz not null
);
create index access_tokens_of_session on access_tokens (session_id);
create index access_tokens_by_refresh on access_tokens (refresh_hash);

-- The administrator's sessions: the same shape, other tables, so that neither kind of token can pass for the other.
create table admin_sessions (
  id char(24) primary key,
  -- The user name and a digest of the password they came with: other credentials in the configuration end the session.
  credentials text not null,
  signed_in_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  idle_seconds int not null,
  ended_at timestamptz,
  ended_because text,
  ip text,
  user_agent text
);

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

create table admin_access_tokens (
  hash bytea primary key,
  session_id char(24) not null references admin_sessions (id) on delete cascade,
  refresh_hash bytea not null,
  expires_at timestamptz not null
);
create index admin_access_tokens_of_session on admin_access_tokens (session_id);
create index admin_access_tokens_by_refresh on admin_access_tokens (refresh_hash);

-- Codes from mails: hashed, bound to a user, a purpose and an address; only the newest one is good.
create table email_codes (
  hash bytea primary key,
  user_id char(24) not null references users (id),
  purpose text not null check (purpose in ('verify', 'reset')),
  address text not null,
  -- The car that led to the registration, so that a link sent again leads back to it too (decisions A5).
  link_vin text,
  link_user_id char(24),
  created_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  superseded_at timestamptz
);
create index email_codes_of_user on email_codes (user_id, purpose);

-- Outbox and development mailbox in one: written with the change that causes the mail, delivered after it.
create table mails (
  id char(24) primary key,
  recipient text not null,
  subject text not null,
  html text not null,
  text text not null,
  created_at timestamptz not null default keyturn_now(),
  -- A mail whose code has expired is not worth sending.
  good_until timestamptz,
  sent_at timestamptz,
  attempts int not null default 0,
  failed_because text,
  -- Given up: refused for good, or tried for a day.
  dead_at timestamptz
);
create index mails_newest on mails (created_at desc, id desc);
create index mails_of_recipient on mails (recipient);

-- Clears away what nobody can use any more, hourly from now on.
insert into jobs (name, key) values ('clean-accounts', 'clean-accounts');
