-- Events keep facts; how they read is made when they are shown. Rows from before keep their words, their bytes and their
-- place in the chain.
alter table deal_events
  add column facts jsonb,
  add check (facts is null or ("from" is null and "to" is null and facts ->> 'event' = event));

-- Writes an event chained to the one before it on the same deal; the caller holds the deal's lock.
create function record_deal_facts(
  deal char(24), who text, who_id char(24), what jsonb, session char(24), request text, address text
) returns void language sql as $$
  insert into deal_events (deal_id, actor, actor_id, event, facts, session_id, request_id, ip, previous_hash, hash)
  select deal, who, who_id, what ->> 'event', what, session, request, address, last.hash,
    sha256(coalesce(last.hash, '') || convert_to(
      jsonb_build_array(deal, extract(epoch from keyturn_now()), who, who_id, what, session, request, address)::text, 'UTF8'))
  from (select 1) as one
  left join lateral (select hash from deal_events where deal_id = deal order by id desc limit 1) as last on true
$$;
drop function record_deal_event;
