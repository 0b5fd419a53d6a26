-- How many rows of evidence there are about each person, trade or deal, and what their sums come to together: a row that is gone shows,
-- wherever it stood, and so does one that came in past the triggers (R-deals-80, decision 30).
create table evidence_tallies (
  evidence text not null,
  -- Whose rows these are; 'all' where a table is counted as a whole.
  about text not null,
  rows bigint not null,
  -- The exclusive or of their sums: the same in whatever order they were written.
  digest bit(256) not null,
  primary key (evidence, about)
) with (fillfactor = 80);

create function bits_of(sum bytea) returns bit(256) language sql immutable parallel safe as $$
  select ('x' || encode(sum, 'hex'))::bit(256)
$$;

-- With the rights of the owner, because who serves may only read tallies. Whoever adds a row about a person, a trade or a
-- deal holds its lock, so that nobody waits here who did not wait there.
create function tally_row() returns trigger language plpgsql security definer as $$
begin
  insert into evidence_tallies as t (evidence, about, rows, digest)
    values (tg_table_name, case tg_nargs when 0 then 'all' else to_jsonb(new) ->> tg_argv[0] end, 1, bits_of(new.row_sum))
    on conflict (evidence, about) do update set rows = t.rows + 1, digest = t.digest # excluded.digest;
  return null;
end $$;

-- Whose rows a table's tallies count, as an expression over a row `e`; null: it keeps none.
create function tallied_by(evidence regclass) returns text language sql stable as $$
  select case tgnargs when 0 then '''all''' else format('e.%I::text', split_part(encode(tgargs, 'escape'), '\000', 1)) end
  from pg_trigger where tgrelid = evidence and tgfoid = to_regproc('tally_row')
$$;

-- About whom a table of evidence has other rows than were written into it.
create function tallies_changed(evidence regclass) returns table (id text) language plpgsql stable as $$
declare
  about text := tallied_by(evidence);
begin
  if about is null then
    return query select 'all';
  else
    return query execute format(
      'select about from (select %s as about, count(*) as rows, bit_xor(bits_of(e.row_sum)) as digest from %s e group by 1) there
       full join (select t.about, t.rows, t.digest from evidence_tallies t where t.evidence = %L) tallied using (about)
       where tallied.rows is distinct from coalesce(there.rows, 0)
         or tallied.digest is distinct from coalesce(there.digest, 0::bit(256))
       order by about',
      about, evidence, (select relname from pg_class where oid = evidence));
  end if;
end $$;

do $$
declare
  evidence text;
  about text;
begin
  -- A temporary table is no way around the tallies.
  execute format('alter function tally_row() set search_path to %I, pg_temp', current_schema());
  for evidence, about in
    values ('account_events', 'user_id'), ('trade_events', 'trade_id'), ('deal_events', 'deal_id'), ('signatures', 'deal_id'),
      ('packages', 'deal_id'), ('consents', 'person_id'), ('agreement_pdfs', 'package_id'), ('delivery_tries', 'delivery_id'),
      ('partner_calls', 'package_id'), ('seal_certificates', ''), ('log_leaves', ''), ('log_nodes', ''), ('log_heads', ''), ('log_keys', '')
  loop
    execute format('create trigger tallied after insert on %I for each row execute function tally_row(%s)', evidence, nullif(quote_literal(about), ''''''));
    execute format(
      'insert into evidence_tallies select %L, %s, count(*), bit_xor(bits_of(e.row_sum)) from %I e group by 2',
      evidence, tallied_by(evidence::regclass), evidence);
  end loop;
end $$;

-- Whoever is there has a tally from now on, also with nothing to count: all rows and their tally cannot go together.
insert into evidence_tallies
  select 'account_events', id, 0, 0::bit(256) from users
  union all select 'trade_events', id, 0, 0::bit(256) from trades
  union all select 'deal_events', id, 0, 0::bit(256) from deals
  on conflict do nothing;
