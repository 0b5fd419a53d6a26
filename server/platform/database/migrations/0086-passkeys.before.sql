-- Public keys that sign in to an account beside its password.
create table passkeys (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  -- In the COSE format.
  public_key bytea not null,
  -- The highest signature counter that was presented; 0 for authenticators without one.
  sign_count bigint not null check (sign_count >= 0),
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default keyturn_now(),
  last_used_at timestamptz,
  constraint one_passkey_per_credential unique (credential_id)
);
create index passkeys_of_user on passkeys (user_id);

-- Hashes of challenges that were sent to browsers and not used yet.
create table passkey_challenges (
  hash bytea primary key check (length(hash) = 32),
  -- The session that adds a passkey; null for a sign-in.
  session_id char(24),
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Evidence: the signer's session had begun with a passkey. Columns of signer_acts would change the checksums of existing rows.
create table passkey_signatures (
  signature_id char(24) primary key references signatures (id),
  deal_id char(24) not null references deals (id),
  row_sum bytea not null default ''
);
create index passkey_signatures_of_deal on passkey_signatures (deal_id);
create trigger passkey_signatures_stay before update or delete on passkey_signatures for each row execute function refuse_change();
create trigger passkey_signatures_stay_whole before truncate on passkey_signatures for each statement execute function refuse_change();
create trigger summed before insert or update on passkey_signatures for each row execute function sum_row();
create trigger tallied after insert on passkey_signatures for each row execute function tally_row('deal_id');

-- The session began with a passkey. Both tables have the same columns.
alter table sessions add column with_passkey boolean not null default false;
alter table admin_sessions add column with_passkey boolean not null default false;

-- The person does not want to be offered a passkey after signing in.
alter table users add column declines_passkey boolean not null default false;

-- Not validated: every existing row satisfies the narrower constraint that it replaces.
alter table account_events
  drop constraint account_events_event_check,
  add constraint account_events_event_check
    check (event in ('registered', 'edited', 'verified', 'passwordChanged', 'passwordReset', 'passkeyAdded', 'passkeyRemoved',
      'approved', 'declined', 'deleted')) not valid;
