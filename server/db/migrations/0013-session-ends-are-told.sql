-- However a session ends, all processes hear of it with the commit, and close the streams that were opened with it.
create function tell_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('keyturn', json_build_object('endedSession', new.id)::text);
  return null;
end $$;
create trigger session_ended after update of ended_at on sessions
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_session_end();
