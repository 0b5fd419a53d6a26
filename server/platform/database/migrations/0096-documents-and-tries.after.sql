-- The bytes of a new PDF are in the object store, under the row's digest. Older servers would send an empty file.
alter table agreement_pdfs alter column bytes drop not null;

-- Failed tries of a delivery that has ended are removed at their age. The try that the dealer accepted stays.
drop trigger delivery_tries_stay on delivery_tries;
create trigger delivery_tries_stay before update on delivery_tries for each row execute function refuse_change();

create function check_removed_try() returns trigger language plpgsql as $$
begin
  if old.because is null or old.at > keyturn_now() - interval '7 days'
    or not exists (select from deliveries where id = old.delivery_id and state <> 'WAITING') then
    raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger accepted_tries_stay before delete on delivery_tries for each row execute function check_removed_try();

-- Runs with the owner's rights, like tally_row.
create function untally_row() returns trigger language plpgsql security definer as $$
begin
  update evidence_tallies set rows = rows - 1, digest = digest # bits_of(old.row_sum)
    -- A name, also as text, is compared by another collation than that of the index.
    where evidence = 'delivery_tries' and about = to_jsonb(old) ->> tg_argv[0];
  return null;
end $$;
create trigger untallied after delete on delivery_tries for each row execute function untally_row('delivery_id');

-- Runs with the owner's rights: the serving role may not delete evidence. Returns how many it deleted.
create function delete_failed_tries(days int, max_rows int) returns int language plpgsql security definer as $$
declare
  deleted int;
begin
  delete from delivery_tries where ctid = any (array(
    select try.ctid from delivery_tries try
    where try.at <= keyturn_now() - greatest(days, 7) * interval '1 day' and try.because is not null
      and exists (select from deliveries where id = try.delivery_id and state <> 'WAITING')
    order by try.at limit max_rows for update skip locked));
  get diagnostics deleted = row_count;
  return deleted;
end $$;

do $$
begin
  execute format('alter function untally_row() set search_path to %I, pg_temp', current_schema());
  execute format('alter function delete_failed_tries(int, int) set search_path to %I, pg_temp', current_schema());
end $$;
