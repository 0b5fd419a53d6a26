-- A request with an Idempotency-Key asks this ahead of its first statement, which is not to run where another request holds the key:
-- one that failed here stops what was sent behind it.
create function take_key(lock bigint) returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(lock) then
    raise exception 'another request holds the key' using errcode = 'lock_not_available', constraint = 'key_is_in_use';
  end if;
end
$$;
