-- Who was shown a person's contact data with a trade, once a day. Not evidence: it is deleted with the person, or when it is old.
create table contact_looks (
  person_id char(24) not null references users (id),
  viewer_id char(24) not null references users (id),
  trade_id char(24) not null references trades (id),
  day date not null,
  first_at timestamptz not null default keyturn_now(),
  constraint nobody_looks_at_themselves check (person_id <> viewer_id),
  primary key (trade_id, viewer_id, day)
);
create index contact_looks_of_person on contact_looks (person_id, first_at desc);
create index contact_looks_by on contact_looks (viewer_id, first_at desc);
create index contact_looks_by_age on contact_looks (first_at);

-- Somebody downloaded everything about themselves.
alter table account_events
  drop constraint account_events_event_check,
  add constraint account_events_event_check check (event in
    ('registered', 'edited', 'verified', 'passwordChanged', 'passwordReset', 'approved', 'declined', 'deleted',
    'passkeyAdded', 'passkeyRemoved', 'exported')) not valid;
