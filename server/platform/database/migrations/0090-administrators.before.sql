-- Named administrators. The administrator of the settings has no row.
create table administrators (
  id char(24) primary key,
  name text not null check (length(name) between 1 and 100),
  username text not null check (length(username) between 3 and 255 and username = lower(username)),
  role text not null check (role in ('SUPPORT', 'OPERATOR')),
  -- Null until the invitation is accepted.
  password_hash text,
  -- The secret of the authenticator app, encrypted; it counts once a code has confirmed it.
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  invitation_hash bytea check (length(invitation_hash) = 32),
  invitation_expires_at timestamptz,
  created_at timestamptz not null default keyturn_now(),
  disabled_at timestamptz,
  constraint codes_are_confirmed_with_a_secret check (totp_confirmed_at is null or totp_secret is not null),
  constraint invitations_expire check ((invitation_hash is null) = (invitation_expires_at is null))
);
create unique index one_administrator_per_username on administrators (username);
create unique index one_administrator_per_invitation on administrators (invitation_hash);

-- One-time codes for an administrator who has lost the authenticator app.
create table administrator_recovery_codes (
  administrator_id char(24) not null references administrators (id),
  hash bytea not null check (length(hash) = 32),
  used_at timestamptz,
  primary key (administrator_id, hash)
);

-- The time step (30 s) of the last accepted code, because each code is accepted once.
create table administrator_code_steps (
  -- The administrator's id, or the credentials of the administrator of the settings.
  owner text primary key,
  step bigint not null
);
