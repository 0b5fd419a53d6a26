-- Who consented to sign electronically, and who withdrew it: rows that are added and never changed. The last one of a
-- person is how it stands.
create table consents (
  id bigint generated always as identity primary key,
  person_id char(24) not null references users (id),
  deed text not null check (deed in ('given', 'withdrawn')),
  -- Which released text it is about.
  version text not null,
  at timestamptz not null default keyturn_now(),
  session_id char(24) not null,
  ip text,
  user_agent text,
  previous_hash bytea,
  hash bytea not null
);
create index consents_of_person on consents (person_id, id);
create trigger consents_stay before update or delete on consents for each row execute function refuse_change();
create trigger consents_stay_whole before truncate on consents for each statement execute function refuse_change();

-- Writes a row chained to the one before it of the same person, and only where it changes how that stands. The caller
-- holds the person's lock.
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
