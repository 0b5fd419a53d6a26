-- Evidence: every act of an administrator and every look at people's data. Ids and small values, never a person's words, so the rows
-- stay when the person leaves.
create table admin_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default keyturn_now(),
  -- Null: the administrator of the settings.
  administrator_id char(24),
  -- The name as it was.
  administrator text not null check (length(administrator) between 1 and 255),
  role text not null check (role in ('SUPPORT', 'OPERATOR')),
  act text not null check (act ~ '^[a-z][A-Za-z]{2,39}$'),
  -- The person concerned, if the act is about one person.
  person_id char(24) references users (id),
  -- The id of the row that the act is about.
  subject text check (length(subject) between 1 and 100),
  before jsonb check (octet_length(before::text) <= 2000),
  after jsonb check (octet_length(after::text) <= 2000),
  session_id char(24) not null,
  ip text not null,
  row_sum bytea not null default ''
);
create index admin_events_about on admin_events (person_id, id desc) where person_id is not null;
create index admin_events_by on admin_events (administrator_id, id desc);
create index admin_events_of_session on admin_events (session_id, act, at desc);

create trigger admin_events_stay before update or delete on admin_events for each row execute function refuse_change();
create trigger admin_events_stay_whole before truncate on admin_events for each statement execute function refuse_change();
create trigger summed before insert or update on admin_events for each row execute function sum_row();
create trigger tallied after insert on admin_events for each row execute function tally_row('session_id');
