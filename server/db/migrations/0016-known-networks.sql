-- Networks from which somebody has signed in: they are counted by themselves when others guess at the password.
-- Whose: a person's id or, for the administrator, what their sessions are named by. A network is kept as a hash only.
create table known_networks (
  owner text not null,
  network bytea not null,
  last_used_at timestamptz not null default keyturn_now(),
  primary key (owner, network)
);

-- The link in "Was this you?" signs in, once.
alter table email_codes drop constraint email_codes_purpose_check;
alter table email_codes add constraint email_codes_purpose_check check (purpose in ('verify', 'reset', 'login'));
