-- Each car has three purchases, a trade and thirty events and notifications. Half of the cars are listed, one of ten is confirmed, a
-- third is sold, the rest was deleted. Each buyer has three purchases in a database of any size, so that each measured person has the same
-- number of rows in a small and in a large database. fill-database.ts replaces `:cars` and the other parameters.

create function pg_temp.id_of(kind text, number bigint) returns char(24) language sql immutable
  as $$ select substr(md5(kind || number), 1, 24)::char(24) $$;
create function pg_temp.noise(of anyelement) returns bytea language sql immutable as $$ select sha256(of::text::bytea) $$;
create function pg_temp.age_of(car bigint) returns interval language sql immutable
  as $$ select interval '730 days' * (1 - car::float8 / :cars) $$;
-- Twentieths of all cars: 0 to 9 listed, 10 and 11 confirmed, 12 to 18 sold, 19 deleted.
create function pg_temp.part_of(car bigint) returns bigint language sql immutable
  as $$ select (car + 3 * ((car - 1) / :sellers)) % 20 $$;

create temp view people as
  select kind, type, n, pg_temp.id_of(kind, n) as id, substr(md5('session ' || kind || n), 1, 24) as session_id,
    sha256(('refresh' || kind || n)::bytea) as refresh_hash
  from (values ('S', 'SELLER', :sellers), ('B', 'BUYER', :cars), ('W', 'WHOLESALER', :wholesalers)) as kinds (kind, type, number),
    generate_series(1, number) n;

-- Deal d is purchase j of car n.
create temp view numbered_deals as
  select d, n, j, part, listed, least(now(), listed + interval '1 day' * (1 + j)) as started, least(now(), listed + interval '9 days') as passed
  from (select d, (d - 1) / 3 + 1 as n, (d - 1) % 3 as j from generate_series(1, :cars * 3) d) as numbers,
    lateral (select pg_temp.part_of(n) as part, now() - pg_temp.age_of(n) as listed) as car;

insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash, verified_at, approved_at, created_at)
  select id, lower(kind) || n || '@example.com', type, 'P' || n, 'Quinn', '5551234567', 'none', long_ago,
    case when type = 'WHOLESALER' then long_ago end, long_ago
  from people, lateral (select now() - interval '731 days' as long_ago) as times;

-- Every third person has signed out.
insert into sessions (id, user_id, signed_in_at, expires_at, idle_seconds, time_zone, ended_at, ended_because)
  select session_id, id, now() - interval '1 day', now() + interval '29 days', 86400, 'America/Detroit',
    case when n % 3 = 0 then now() end, case when n % 3 = 0 then 'signedOut' end from people;

insert into refresh_tokens (hash, session_id, expires_at) select refresh_hash, session_id, now() + interval '29 days' from people;

insert into access_tokens (hash, session_id, refresh_hash, expires_at)
  select sha256(rpad('access' || kind || n, 43, '_')::bytea), session_id, refresh_hash, now() + interval '29 days' from people;

insert into cars (id, seller_id, vin, make, model, year, trim, mileage, color, payoff, zip_code, price_cents, created_at, terms_at, completed_at, deleted_at)
  select pg_temp.id_of('C', n), pg_temp.id_of('S', 1 + (n - 1) % :sellers), 'KTC' || lpad(n::text, 14, '0'), 'Ford', 'Focus', 2010 + n % 14, 'SE',
  10000 + n % 90000, 'Blue', n % 4 = 0, '48201', 500000 + n % 900000, listed, listed,
    case when pg_temp.part_of(n) between 12 and 18 then least(now(), listed + interval '12 days') end, case when pg_temp.part_of(n) = 19 then least(now(), listed + interval '12 days') end
    from generate_series(1, :cars) n, lateral (select now() - pg_temp.age_of(n) as listed) as car;

insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, status, price_cents, tax_credit_cents, tax_rate,
    offer_expires_at, offered_by, created_at, moved_at)
  select pg_temp.id_of('T', n), pg_temp.id_of('B', n), 'KTT' || lpad(n::text, 14, '0'), 'Honda', 'Civic', 2008 + n % 14, 'LX', 20000 + n % 90000, 'Red', '48201', false,
  status, case when status <> 'PENDING' then 400000 end, case when status <> 'PENDING' then 24000 end, case when status <> 'PENDING' then '0.06' end,
    case when status = 'OFFERED' then now() + interval '3 days' * random() end, case when status <> 'PENDING' then pg_temp.id_of('W', 1 + n % :wholesalers) end, made, made
    from generate_series(1, :cars) n, lateral (select now() - pg_temp.age_of(n) as made,
  (array['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'REJECTED', 'REJECTED', 'PENDING', 'OFFERED', 'OFFER', 'ACCEPTED'])[1 + n % 10] as status) as trade;

insert into deals (id, car_id, seller_id, buyer_id, status, price_cents, active_step, reached_step, has_trade, needs_financing, created_at, requested_at,
  accepted_at, exclusive_until, passed_at, package_id, dealer_id, completed_at, withdrawn_at, sold_elsewhere)
  select pg_temp.id_of('D', d), pg_temp.id_of('C', n), pg_temp.id_of('S', 1 + (n - 1) % :sellers), pg_temp.id_of('B', 1 + (n - 1 + j * :third) % :cars),
  status, case when status <> 'STARTED' then 500000 + n % 900000 end, step, step, j = 1, false, started,
    case when status <> 'STARTED' then started end, case when status in ('ACCEPTED', 'COMPLETED') then passed end,
    case when part in (10, 11) and j = 0 and n % 2 = 0 then now() + interval '60 hours' * random() when status = 'COMPLETED' then passed + interval '72 hours' end,
    case when status = 'COMPLETED' then passed end, case when status = 'COMPLETED' then substr(md5('package' || n), 1, 24) end,
    case when status = 'COMPLETED' then (select id from dealers where is_default) end, case when status = 'COMPLETED' then passed + interval '3 days' end,
    case when part between 12 and 19 and status <> 'COMPLETED' or part < 10 and j = 2 and n % 3 = 0 then passed end, part between 12 and 18 and status <> 'COMPLETED'
    from numbered_deals, lateral (select case when part between 12 and 18 and j = 0 then 'COMPLETED' when part in (10, 11) and j = 0 then 'ACCEPTED' when j = 1 or part between 10 and 18 then 'PENDING' else 'STARTED' end as status) as one,
  lateral (select case status when 'STARTED' then 5 else 6 end as step) as stage;

insert into deal_trades (trade_id, deal_id) select pg_temp.id_of('T', 1 + (n - 1 + :third) % :cars), pg_temp.id_of('D', d) from numbered_deals where j = 1;

insert into deal_events (deal_id, at, actor, actor_id, event, facts, session_id, request_id, previous_hash, hash, row_sum)
  select pg_temp.id_of('D', d), started + interval '1 hour' * e, case e % 2 when 0 then 'BUYER' else 'SELLER' end,
    case e % 2 when 0 then pg_temp.id_of('B', 1 + (n - 1 + j * :third) % :cars) else pg_temp.id_of('S', 1 + (n - 1) % :sellers) end,
  facts ->> 'event', facts, substr(md5('session B' || n), 1, 24), 'r', pg_temp.noise(d * 6 + e - 1), pg_temp.noise(d * 6 + e), '\x'
    from numbered_deals, (values (0, '{"event": "started"}'::jsonb), (1, '{"event": "priceChanged", "from": 500000, "to": 490000}'),
  (2, '{"event": "requested", "price": 500000}'), (3, '{"event": "priceChanged", "from": 490000, "to": 500000}'),
  (4, '{"event": "repriced", "from": 500000, "to": 510000}'), (5, '{"event": "priceChanged", "from": 500000, "to": 510000}')) as what (e, facts);

insert into trade_events (trade_id, at, actor, actor_id, event, status, version, row_sum)
  select pg_temp.id_of('T', n), now() - pg_temp.age_of(n) + interval '1 hour' * e, (array['OWNER', 'WHOLESALER', 'OWNER'])[1 + e], pg_temp.id_of('B', n),
  (array['submit', 'offer', 'accept'])[1 + e], (array['PENDING', 'OFFERED', 'ACCEPTED'])[1 + e], n * 3 + e, '\x'
    from generate_series(1, :cars) n, generate_series(0, 2) e;

insert into contact_looks (person_id, viewer_id, trade_id, day, first_at)
  select owner_id, pg_temp.id_of('W', 1 + (n + k) % :wholesalers), id, created_at::date, created_at
    from (select *, row_number() over () as n from trades) trades, generate_series(0, 2) k;

insert into account_events (user_id, at, actor, event, row_sum)
  select id, created_at, 'PERSON', event, '\x' from users, unnest(array['registered', 'verified']) event;

insert into personal_tokens (id, user_id, name, hash, start, scopes, created_at, expires_at, revoked_at)
  select substr(md5('token' || id || k), 1, 24), id, 'A script', pg_temp.noise(row_number() over ()::int), 'kt_AbCdEf', '{cars:read}', now() - interval '9 days', now() + interval '81 days',
    case k when 1 then now() - interval '1 day' end from users, generate_series(0, 1) k where user_type = 'SELLER';

insert into notifications (id, recipient_id, type, message, public_message, created_at, about_id, event, audience, deal_id)
  select substr(md5('notice' || d || '-' || k), 1, 24), case when k < 2 then pg_temp.id_of('S', 1 + (n - 1) % :sellers) else pg_temp.id_of('B', 1 + (n - 1 + j * :third) % :cars) end,
    case when k < 2 then 'Buyer_Offer' else 'PRICE_UPDATED' end, 'There is news of the 2015 Ford Focus.', '', started + interval '1 hour' * k, null,
    case when k < 2 then 'requested' else 'priceChanged' end, case when k < 2 then 'SELLER' else 'BUYER' end, pg_temp.id_of('D', d)
    from numbered_deals, generate_series(0, 2) k where j > 0 or k < 2;

insert into notifications (id, recipient_id, type, message, public_message, created_at, event, audience, trade_id)
  select substr(md5('trade notice' || n), 1, 24), null, 'Buyer_Offer', 'A 2014 Honda Civic waits for an offer.', 'A 2014 Honda Civic waits for an offer.', now() - pg_temp.age_of(n), 'tradeAdded', 'WHOLESALERS', pg_temp.id_of('T', n)
    from generate_series(1, :cars) n;

insert into notification_marks (user_id, read_to, read_to_id) select id, now() - interval '30 days', '' from users where user_type <> 'WHOLESALER';

insert into signatures (id, deal_id, party, signer_id, signer_email, signer_verified_at, session_id, name, signature, car_terms_version, deal_terms_version, terms, terms_hash,
  text_version, signed_at, previous_hash, hash, hashed_as, sheet, sheet_hash, row_sum)
  select substr(md5(party || d), 1, 24), pg_temp.id_of('D', d), party, pg_temp.id_of('S', 1 + (n - 1) % :sellers), 's@example.com', started, substr(md5('session B' || n), 1, 24), 'Pat Quinn', 'Pat Quinn',
  1, 1, json_build_object('date', '2026-01-01T12:00:00.000Z', 'day', '2026-01-01', 'zone', 'Eastern Time', 'sellerName', 'P Quinn', 'buyerName', 'P Quinn', 'make', 'Ford', 'model', 'Focus', 'year', 2015,
  'vin', 'KTC' || lpad(n::text, 14, '0'), 'mileage', 60000, 'price', 500000, 'trades', '[]'::json, 'leftToPay', 500000, 'sellerOwes', false, 'sellerPayoffAmount', null, 'sellerLender', '', 'textVersion', ':agreement'), pg_temp.noise(d), '1', passed, null, pg_temp.noise(d), 3, repeat('Words of a sheet. ', 200), sha256(repeat('Words of a sheet. ', 200)::bytea), '\x'
    from numbered_deals, unnest(array['SELLER', 'BUYER']) party where part between 12 and 18 and j = 0;

insert into signer_acts (deal_id, person_id, act, sheet_hash, at, session_id, signed_in_at, signature_id, row_sum)
  select deal_id, signer_id, act, sheet_hash, signed_at, session_id, signed_at, case when act = 'signed' then id end, '\x'
    from signatures, unnest(array['shown', 'pdf', 'signed']) act where act = 'signed' or party = 'SELLER';

insert into packages (id, deal_id, contents, created_at, row_sum)
  select substr(md5('package' || n), 1, 24), pg_temp.id_of('D', d), jsonb_build_object('schema', 1, 'words', repeat('Words of a package. ', 60)), passed, '\x' from numbered_deals where part between 12 and 18 and j = 0;

insert into deliveries (id, deal_id, dealer_id, kind, way, state, payload_digest, tries, next_try_at, give_up_at, created_at, ended_at)
  select substr(md5('delivery' || n), 1, 24), pg_temp.id_of('D', d), (select id from dealers where is_default), 'deal.passed', 'webhook', 'DELIVERED', pg_temp.noise(n), 1, passed, passed + interval '3 days', passed, passed
    from numbered_deals where part between 12 and 18 and j = 0;

insert into delivery_tries (delivery_id, at, number, ms, status, row_sum)
  select id, created_at, 1, 90, 200, '\x' from deliveries;

insert into log_leaves (place, kind, row_id, digest, row_sum)
  select row_number() over () - 1, kind, id, pg_temp.noise(id), '\x' from (select 'signature' as kind, id from signatures union all select 'package', id from packages) as rows;

insert into log_nodes (level, place, hash, row_sum)
  select level, place, pg_temp.noise(level || '/' || place), '\x'
    from (select count(*) as leaves from log_leaves) as log, generate_series(0, 40) level, generate_series(0, leaves / (1::bigint << level) - 1) place;

insert into deal_messages (id, deal_id, sender_id, text, sent_at)
  select substr(md5('message' || d), 1, 24), pg_temp.id_of('D', d), pg_temp.id_of('B', 1 + (n - 1 + j * :third) % :cars), 'Is it still for sale?', started from numbered_deals;

insert into mails (id, recipient, subject, html, text, created_at, sent_at, user_id)
  select substr(md5('mail' || n), 1, 24), 'b' || n || '@example.com', 'Your request was confirmed', repeat('<p>Words</p>', case when n > :cars - 200 then 230 else 40 end), repeat('Words ', 40), sent, sent, pg_temp.id_of('B', n)
    from generate_series(1, :cars) n, lateral (select now() - interval '90 days' * (1 - n::float8 / :cars) as sent) as mail;

insert into idempotency_keys (owner, key, route, body_hash, status, answer, created_at)
  select pg_temp.id_of('B', n), 'key' || n, 'PUT /cars/update-price', pg_temp.noise(n), 200, '{"price": 5000}', now() - interval '72 hours' * random() from generate_series(1, :cars) n;

insert into jobs (name, key, payload, run_at, counted_from)
  select 'remind', 'remind ' || n, '{}', now() + interval '7 days' * random(), now() from generate_series(1, :cars) n;

insert into throttles (bucket, count, window_ends_at, free_at) select 'sign-in ' || n, 1, now() + interval '1 hour' * random(), now() from generate_series(1, :cars) n;

insert into known_networks (owner, network) select pg_temp.id_of('B', n), pg_temp.noise(n) from generate_series(1, :cars) n;

insert into passkeys (id, user_id, credential_id, public_key, sign_count, name) select substr(md5('passkey' || n), 1, 24), pg_temp.id_of('B', n), pg_temp.noise('passkey' || n), pg_temp.noise('key' || n), 0, 'Chrome on Android' from generate_series(1, :cars / 2) n;

insert into passkey_challenges (hash, expires_at) select pg_temp.noise('challenge' || n), now() + interval '5 minutes' from generate_series(1, 10000) n;

insert into passkey_signatures (signature_id, deal_id, row_sum) select id, deal_id, '\x' from signatures where party = 'BUYER';

insert into email_codes (hash, user_id, purpose, address, expires_at, used_at) select pg_temp.noise('code' || n), pg_temp.id_of('B', n), 'verify', 'b' || n || '@example.com', now() + interval '1 day', now() from generate_series(1, :cars) n;

insert into mail_bounces (user_id, address, because) select pg_temp.id_of('B', n), 'b' || n || '@example.com', 'No such mailbox' from generate_series(1, :cars / 2) n;

insert into switched_off (user_id, kind, channel) select pg_temp.id_of('B', n), kind, 'mail' from generate_series(1, :cars / 2) n, unnest(array['reminders', 'messages']) kind;

insert into notification_reads (user_id, notification_id) select recipient_id, id from notifications where recipient_id is not null and right(id, 1) = '0';

insert into push_devices (id, user_id, session_id, endpoint, p256dh, auth, name) select substr(md5('device' || n), 1, 24), pg_temp.id_of('B', 1 + (n - 1) % :cars), case when n < :cars then substr(md5('session B' || n), 1, 24) end, 'https://push.example.com/' || n, 'p', 'a', 'Chrome on Android' from generate_series(1, :cars * 3) n;

insert into pushes (id, device_id, event, audience, deal_id, body, path, tag, rings, good_until) select substr(md5('push' || n), 1, 24), substr(md5('device' || n), 1, 24), 'priceChanged', 'BUYER', pg_temp.id_of('D', n * 3), 'There is news.', '/buyer', pg_temp.id_of('D', n * 3), true, now() + interval '1 day' from generate_series(1, :cars / 20) n;

insert into vin_answers (vin, make, model, year) select vin, make, model, year from cars;

insert into pictures (id, width) select encode(pg_temp.noise('picture' || n), 'hex'), 1920 from generate_series(1, :cars) n;

insert into deal_photos (deal_id, picture_id, photo, car_terms_version, deal_terms_version) select pg_temp.id_of('D', d), encode(pg_temp.noise('picture' || n), 'hex'), '{}', 1, 1 from numbered_deals where part between 12 and 18 and j = 0;

insert into desk_deals (package_id, car, vin, is_done) select id, '2015 Ford Focus', 'KTC', true from packages;

insert into agreement_links (hash, package_id, party) select pg_temp.noise(party || id), id, party from packages, unnest(array['SELLER', 'BUYER']) party;

insert into agreement_pdfs (package_id, size, digest, sealed_with, row_sum) select id, 'Letter', pg_temp.noise('pdf' || id), pg_temp.noise('seal'::text), '\x' from packages;

insert into documents (digest, byte_count) select digest, 170000 from agreement_pdfs;

insert into partner_calls (dealer_id, webhook_id, package_id, body_digest, row_sum) select dealer_id, 'call ' || package_id, package_id, pg_temp.noise(package_id), '\x' from deals where package_id is not null;

insert into consents (person_id, deed, version, session_id, hash, row_sum) select signer_id, 'given', '1', session_id, hash, '\x' from signatures;

insert into log_keys (id, verifier, row_sum) values ('00000000', 'none', '\x');

insert into log_heads (size, root, key_id, note, row_sum) select place + 1, digest, '00000000', 'note', '\x' from log_leaves where place % 3 = 2;

insert into log_cosignatures (size, witness, line, at) select size, 'a key', 'a line', now() from log_heads;

insert into admin_sessions (id, credentials, expires_at, idle_seconds, ended_at) select substr(md5('admin' || n), 1, 24), 'none', now() + interval '1 day', 600, now() from generate_series(1, 10000) n;

insert into admin_refresh_tokens (hash, session_id, expires_at) select pg_temp.noise('admin' || n), substr(md5('admin' || n), 1, 24), now() + interval '1 day' from generate_series(1, 10000) n;

insert into admin_access_tokens (hash, session_id, refresh_hash, expires_at) select hash, session_id, hash, expires_at from admin_refresh_tokens;

insert into admin_events (at, administrator, role, act, person_id, subject, session_id, ip, row_sum)
  select now() - interval '1 minute' * n, 'admin', 'OPERATOR', 'viewedPerson', pg_temp.id_of('S', 1 + n % :sellers), null, substr(md5('admin' || 1 + n % 10000), 1, 24), '192.0.2.1', '\x'
    from generate_series(1, 50000) n;

insert into evidence_tallies (evidence, about, rows, digest)
  select 'deal_events', id, 6, 0::bit(256) from deals union all select 'trade_events', id, 3, 0::bit(256) from trades union all
  select 'account_events', id, 2, 0::bit(256) from users on conflict do nothing;

select setval(pg_get_serial_sequence('deal_messages', 'number'), (select max(number) from deal_messages));

insert into messages_seen (deal_id, person_id, up_to) select m.deal_id, d.seller_id, m.number from deal_messages m join deals d on d.id = m.deal_id;

insert into message_reports (message_id, reporter_id, reason, reported_at) select m.id, d.seller_id, 'Not nice', m.sent_at from deal_messages m join deals d on d.id = m.deal_id where right(m.id, 1) = '0';

-- Every third buyer was suspended once, and one of a hundred sellers is suspended now.
insert into suspensions (id, user_id, reason, note, suspended_at, suspended_by, lifted_at, lifted_by)
  select substr(md5('suspension' || id), 1, 24), id, 'OTHER', 'A note.', now() - interval '9 days', 'operator', ended, by
    from people, lateral (select case kind when 'B' then now() end as ended, case kind when 'B' then 'operator' end as by) lifting
    where kind = 'B' and n % 3 = 0 or kind = 'S' and n % 100 = 0;

insert into car_claims (id, car_id, claimant_id, reason, facts, claimed_at, handled_at, outcome)
  select pg_temp.id_of('K', n), pg_temp.id_of('C', n), pg_temp.id_of('B', n), 'The title is in my name.', '{}', now() - pg_temp.age_of(n), now(), 'KEPT'
    from generate_series(1, :cars) n;
