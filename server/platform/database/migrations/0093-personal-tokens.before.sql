-- Personal access tokens, with which a person's program calls the API. Only the hash of a token is stored.
create table personal_tokens (
  id char(24) primary key,
  user_id char(24) not null references users (id),
  name text not null check (length(name) between 1 and 60),
  hash bytea not null unique check (length(hash) = 32),
  -- Its first characters, by which its owner recognizes it.
  start text not null check (length(start) between 3 and 12),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default keyturn_now(),
  expires_at timestamptz not null,
  -- At most an hour behind.
  last_used_at timestamptz,
  last_network text,
  revoked_at timestamptz,
  constraint a_token_lasts_a_year_at_most check (expires_at <= created_at + interval '366 days')
);
create index personal_tokens_of_user on personal_tokens (user_id, created_at desc);
create index personal_tokens_by_end on personal_tokens (least(expires_at, revoked_at));

alter table account_events
  drop constraint account_events_event_check,
  add constraint account_events_event_check check (event in ('registered', 'edited', 'verified', 'passwordChanged',
    'passwordReset', 'approved', 'declined', 'deleted', 'passkeyAdded', 'passkeyRemoved', 'exported', 'tokenCreated',
    'tokenRevoked')) not valid;
