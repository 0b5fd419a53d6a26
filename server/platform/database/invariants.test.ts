import { randomBytes } from 'node:crypto'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { aCarForm, aSaleAt } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../tests/support/trades.ts'

// The database enforces these rules for every writer. For each rule, one row that is valid in all
// other respects breaks it.

const server = await startTestServer()
const passed = await aSaleAt(server, 'passed')
const other = await aBuyer(server)
const suspended = await aBuyer(server)
const trade = await aTradeAt('OFFERED', { owner: passed.buyer, wholesaler: await aWholesaler(server) })
const [deal] = await server.query<{ id: string }>('select id from deals')
const [notice] = await server.query<{ id: string }>('select id from notifications limit 1')
await server.query(`
  insert into deal_trades (trade_id, deal_id) values ('${trade._id}', '${deal?.id}');
  insert into notification_reads (user_id, notification_id) values ('${other.id}', '${notice?.id}');
  insert into notification_marks values ('${other.id}', now(), '${notice?.id}');
  insert into throttles values ('a bucket', 1, now(), now());
  insert into outgoing_stops (because) values ('restored');
  insert into server_keys values ('a key', '', '');
  insert into known_networks values ('me', '');
  insert into vin_answers (vin) values ('1HGCM82633A004352');
  insert into pictures (id, width) values ('${'ab'.repeat(32)}', 64);
  insert into documents (digest, byte_count) values (sha256('a PDF'), 5);
  insert into deal_photos (deal_id, picture_id, photo, car_terms_version, deal_terms_version)
     values ('${deal?.id}', '${'ab'.repeat(32)}', '{}', 1, 1);
  insert into seal_certificates (fingerprint, certificate) values (sha256('somebody'), 'somebody');
  insert into agreement_pdfs (package_id, size, bytes, digest, sealed_with)
     select id, 'Letter', 'a PDF', sha256('a PDF'), sha256('somebody') from packages;
  insert into dealers (id, name) values ('${'d'.repeat(24)}', 'A dealer');
  insert into dealer_areas values ('${'d'.repeat(24)}', 94000, 94999);
  insert into delivery_tries (delivery_id, number, ms) select id, 1, 1 from deliveries;
  insert into desk_deals (package_id, car, vin) select id, '2003 Honda Accord', '1HGCM82633A004352' from packages;
  insert into partner_calls select '${'d'.repeat(24)}', 'msg_1', id, sha256('') from packages;
  update mails set message_id = '<' || id || '@keyturn.example>';
  insert into switched_off values ('${other.id}', 'offers', 'mail');
  insert into push_devices (id, user_id, session_id, endpoint, p256dh, auth, name)
     select '${'e'.repeat(24)}', user_id, id, 'https://push.example/1', '', '', 'A browser' from sessions limit 1;
  insert into pushes (id, device_id, event, audience, body, path, tag, rings, good_until)
     values ('${'f'.repeat(24)}', '${'e'.repeat(24)}', 'requestReceived', 'SELLER', 'An offer', '/home',
       '${'f'.repeat(24)}', true, now());
  insert into mail_bounces values ('${other.id}', 'a@example.com', now(), 'nobody');
  insert into deal_messages (id, deal_id, sender_id, text)
     values ('${'e'.repeat(24)}', '${deal?.id}', '${passed.buyer.id}', 'Hello');
  insert into messages_seen values ('${deal?.id}', '${passed.seller.id}', 1);
  insert into message_reports values ('${'e'.repeat(24)}', '${passed.seller.id}', 'Spam');
  insert into car_claims (id, car_id, claimant_id, reason, facts)
     values ('${'e'.repeat(24)}', '${passed.car._id}', '${passed.buyer.id}', 'Mine', '{}');
  insert into suspensions (id, user_id, reason, note, suspended_by)
     values ('${'e'.repeat(24)}', '${suspended.id}', 'OTHER', 'A note.', 'operator');
  insert into contact_looks values ('${passed.buyer.id}', '${other.id}', '${trade._id}', current_date);
  insert into passkeys (id, user_id, credential_id, public_key, sign_count, name)
     values ('${'e'.repeat(24)}', '${other.id}', '\\xcd', '', 0, 'A passkey');
  insert into passkey_challenges values (sha256('a challenge'), null, now());
  insert into passkey_signatures select id, deal_id from signatures limit 1;
  insert into personal_tokens (id, user_id, name, hash, start, scopes, expires_at)
     values ('${'e'.repeat(24)}', '${other.id}', 'A script', sha256('a token'), 'kt_AbCdEf', '{cars:read}', now());
  insert into log_cosignatures values (1, 'a key', 'a line', now());
  insert into admin_events (administrator, role, act, session_id, ip)
     values ('admin', 'OPERATOR', 'signedIn', '${'e'.repeat(24)}', '192.0.2.1');
  insert into administrators (id, name, username, role, totp_secret, totp_confirmed_at, invitation_hash, invitation_expires_at)
     values ('${'a'.repeat(24)}', 'Robin Vale', 'robin', 'OPERATOR', '', now(), sha256('a code'), now());
  insert into administrator_recovery_codes values ('${'a'.repeat(24)}', sha256('a code'));
  insert into administrator_code_steps values ('${'a'.repeat(24)}', 1)`)
await other.send(addCar, { body: aCarForm() }, { 'idempotency-key': 'once' })

/** The columns of each table that an insert sets; the others are generated. */
const written = new Map(
  (
    await server.query<{ table: string; columns: string }>(
      `select table_name as table, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
       where table_schema = 'public' and is_generated = 'NEVER' group by table_name`,
    )
  ).map(({ table, columns }) => [table, columns]),
)

const anId = () => randomBytes(12).toString('hex')
const aDigest = `\\x${'cd'.repeat(32)}`
const aNumber = () => 1_000_000 + Math.floor(Math.random() * 1_000_000_000)
type Row = { table: string; with: Record<string, unknown> }
const again = (table: string, changes: Record<string, unknown> = {}): Row => ({ table, with: changes })
const anew = (table: string, changes: Record<string, unknown> = {}) =>
  again(table, { id: anId(), ...changes })
const next = (table: string, changes: Record<string, unknown> = {}) =>
  again(table, { id: aNumber(), ...changes })
const signed = (changes: Record<string, unknown>) => anew('signatures', { number: aNumber(), ...changes })
const aTokenRow = (changes: Record<string, unknown>) => anew('personal_tokens', { hash: aDigest, ...changes })
const [low, high] = [99, 1_000_000_001]
const proposed = { proposed_cents: 100, proposed_at: '2026-11-01', proposed_terms: 1 }
/** A request with an ended offer. */
const ended = {
  status: 'PENDING',
  price_cents: null,
  tax_credit_cents: null,
  offer_expires_at: null,
  expired_at: '2026-11-01',
}

const aPhoto = { id: 'ab'.repeat(32), width: 64, height: 48, placeholder: 'x', caption: '' }
const photosOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...aPhoto, id: String(at).padStart(64, '0') }))
const photoLists: unknown[] = [
  { id: aPhoto.id },
  photosOf(21),
  [aPhoto, aPhoto],
  [{ ...aPhoto, id: 'x' }],
  [{ ...aPhoto, width: 1921 }],
  [{ ...aPhoto, height: 0 }],
  [{ ...aPhoto, placeholder: '' }],
  [{ ...aPhoto, caption: 'x'.repeat(121) }],
  [{ ...aPhoto, caption: null }],
  [{ ...aPhoto, place: 'first' }],
  photosOf(2).map((photo) => ({ ...photo, place: `${'ab'.repeat(8)}-0001` })),
]

/** For each rule, the rows that break it: changed copies of an existing row. */
const breaches: Record<string, readonly Row[]> = {
  // Unique rows.
  one_account_per_address: [anew('users')],
  one_live_listing_per_vin: [anew('cars')],
  one_trade_per_owner_and_vin: [anew('trades')],
  one_accepted_buyer_per_car: [anew('deals', { buyer_id: other.id, package_id: anId() })],
  one_deal_per_buyer_and_car: [
    anew('deals', { status: 'PENDING', passed_at: null, package_id: null, dealer_id: null }),
  ],
  one_signature_per_party_and_terms: [signed({})],
  one_act_per_sheet: [next('signer_acts')],
  one_passkey_per_credential: [anew('passkeys')],
  passkeys_credential_id_check: [
    anew('passkeys', { credential_id: '\\x' }),
    anew('passkeys', { credential_id: `\\x${'ab'.repeat(1024)}` }),
  ],
  passkeys_sign_count_check: [anew('passkeys', { credential_id: '\\xab', sign_count: -1 })],
  passkeys_name_check: [
    anew('passkeys', { credential_id: '\\xab', name: '' }),
    anew('passkeys', { credential_id: '\\xab', name: 'x'.repeat(61) }),
  ],
  passkey_challenges_hash_check: [again('passkey_challenges', { hash: '\\xab' })],
  passkey_signatures_pkey: [again('passkey_signatures')],
  trade_events_of_trade: [next('trade_events')],
  deals_package_id_key: [anew('deals', { withdrawn_at: '2026-01-01' })],
  packages_deal_id_key: [anew('packages')],
  jobs_key_key: [next('jobs')],
  deal_trades_pkey: [again('deal_trades')],
  notification_reads_pkey: [again('notification_reads')],
  notification_marks_pkey: [again('notification_marks')],
  contact_looks_pkey: [again('contact_looks')],
  nobody_looks_at_themselves: [again('contact_looks', { viewer_id: passed.buyer.id })],
  idempotency_keys_pkey: [again('idempotency_keys')],
  throttles_pkey: [again('throttles')],
  server_keys_pkey: [again('server_keys')],
  known_networks_pkey: [again('known_networks')],
  vin_answers_pkey: [again('vin_answers')],
  mails_message_id_key: [anew('mails')],
  mail_bounces_pkey: [again('mail_bounces')],
  pushes_pkey: [again('pushes')],
  one_device_per_endpoint: [anew('push_devices', { session_id: null })],
  one_outgoing_stop: [again('outgoing_stops', { id: 2 })],
  one_device_per_session: [anew('push_devices', { endpoint: 'https://push.example/2' })],
  push_devices_endpoint_check: [anew('push_devices', { session_id: null, endpoint: 'x'.repeat(1001) })],
  // States of an email.
  only_a_person_has_switches: [anew('mails', { message_id: null, user_id: null, kind: 'offers' })],
  what_has_begun_has_a_message_id: [anew('mails', { message_id: null, begun_at: '2026-01-01' })],
  a_mail_ends_in_one_way: [anew('mails', { message_id: null, sent_at: '2026-01-01', dead_at: '2026-01-01' })],
  switched_off_pkey: [again('switched_off')],
  sessions_time_zone_check: [anew('sessions', { user_id: other.id, time_zone: 'x'.repeat(65) })],
  admin_sessions_time_zone_check: [anew('admin_sessions', { time_zone: 'x'.repeat(65) })],
  // Allowed values.
  switched_off_kind_check: [again('switched_off', { kind: 'gossip' })],
  switched_off_channel_check: [again('switched_off', { channel: 'pigeon' })],
  users_user_type_check: [anew('users', { email: 'a@example.com', user_type: 'ADMIN' })],
  deals_status_check: [anew('deals', { status: 'SOLD' })],
  trades_status_check: [anew('trades', { status: 'SOLD', offer_expires_at: null })],
  notifications_type_check: [anew('notifications', { type: 'Gossip' })],
  an_event_is_about_something: [anew('notifications', { deal_id: anId(), trade_id: anId() })],
  without_recipient_for_wholesalers: [anew('notifications', { recipient_id: null, audience: 'BUYER' })],
  signatures_party_check: [signed({ party: 'DEALER' })],
  email_codes_purpose_check: [again('email_codes', { purpose: 'invite' })],
  account_events_actor_check: [next('account_events', { actor: 'CLOCK' })],
  account_events_event_check: [next('account_events', { event: 'promoted' })],
  one_administrator_per_username: [anew('administrators', { invitation_hash: aDigest })],
  one_administrator_per_invitation: [anew('administrators', { username: 'other' })],
  administrators_name_check: [anew('administrators', { name: '' })],
  administrators_username_check: [
    anew('administrators', { username: 'ab' }),
    anew('administrators', { username: 'Robin' }),
  ],
  administrators_role_check: [anew('administrators', { role: 'GUEST' })],
  administrators_invitation_hash_check: [anew('administrators', { invitation_hash: '\\xab' })],
  codes_are_confirmed_with_a_secret: [anew('administrators', { totp_secret: null })],
  invitations_expire: [anew('administrators', { invitation_expires_at: null })],
  administrator_recovery_codes_pkey: [again('administrator_recovery_codes')],
  administrator_recovery_codes_hash_check: [again('administrator_recovery_codes', { hash: '\\xab' })],
  administrator_code_steps_pkey: [again('administrator_code_steps')],
  admin_events_administrator_check: [next('admin_events', { administrator: '' })],
  admin_events_role_check: [next('admin_events', { role: 'GUEST' })],
  admin_events_act_check: [next('admin_events', { act: 'Did something' })],
  admin_events_subject_check: [next('admin_events', { subject: 'x'.repeat(101) })],
  admin_events_before_check: [next('admin_events', { before: { words: 'x'.repeat(2000) } })],
  admin_events_after_check: [next('admin_events', { after: { words: 'x'.repeat(2000) } })],
  deal_events_actor_check: [next('deal_events', { actor: 'NOBODY' })],
  trade_events_actor_check: [next('trade_events', { actor: 'DEALER' })],
  trade_events_event_check: [next('trade_events', { event: 'steal' })],
  signatures_hashed_as_check: [signed({ hashed_as: 4 })],
  signer_acts_act_check: [next('signer_acts', { act: 'read', signature_id: null })],
  signer_acts_sheet_hash_check: [next('signer_acts', { sheet_hash: '\\xab' })],
  a_signed_act_has_a_signature: [
    next('signer_acts', { signature_id: null }),
    next('signer_acts', { act: 'shown' }),
  ],
  consents_deed_check: [next('consents', { deed: 'taken back' })],
  // Dealers and their deliveries.
  one_default_dealer: [anew('dealers', { is_default: true, active: true })],
  a_dealer_has_a_name: [anew('dealers', { name: null, is_default: false })],
  the_default_dealer_is_active: [anew('dealers', { is_default: true, active: false })],
  dealer_areas_pkey: [again('dealer_areas')],
  dealer_areas_first_zip_check: [again('dealer_areas', { first_zip: -1 })],
  dealer_areas_last_zip_check: [again('dealer_areas', { last_zip: 100_000 })],
  an_area_ends_after_it_begins: [again('dealer_areas', { first_zip: 95_000 })],
  deliveries_kind_check: [anew('deliveries', { number: aNumber(), kind: 'rumor' })],
  deliveries_way_check: [anew('deliveries', { number: aNumber(), way: 'pigeon' })],
  deliveries_state_check: [anew('deliveries', { number: aNumber(), state: 'LOST' })],
  deliveries_tries_check: [anew('deliveries', { number: aNumber(), tries: -1 })],
  deliveries_payload_digest_check: [anew('deliveries', { number: aNumber(), payload_digest: '\\xab' })],
  one_delivery_of_each_event: [anew('deliveries', { number: aNumber() })],
  only_a_test_has_no_deal: [
    anew('deliveries', { number: aNumber(), deal_id: null }),
    anew('deliveries', { number: aNumber(), kind: 'test' }),
  ],
  what_waits_has_not_ended: [
    anew('deliveries', { number: aNumber(), state: 'WAITING', ended_at: '2026-01-01' }),
    anew('deliveries', { number: aNumber(), state: 'PARKED', ended_at: null }),
  ],
  delivery_tries_pkey: [again('delivery_tries')],
  delivery_tries_number_check: [again('delivery_tries', { number: 0 })],
  delivery_tries_ms_check: [again('delivery_tries', { ms: -1 })],
  partner_calls_pkey: [again('partner_calls')],
  desk_deals_pkey: [again('desk_deals')],
  a_step_has_a_time: [again('desk_deals', { step: 'accepted' })],
  partner_calls_webhook_id_check: [
    again('partner_calls', { webhook_id: '' }),
    again('partner_calls', { webhook_id: 'x'.repeat(256) }),
  ],
  partner_calls_body_digest_check: [again('partner_calls', { webhook_id: 'msg_2', body_digest: '\\xab' })],
  // Amounts and steps.
  cars_mileage_check: [anew('cars', { mileage: 0 })],
  trades_mileage_check: [anew('trades', { mileage: 0 })],
  cars_description_check: [anew('cars', { vin: 'ANOTHER', description: 'x'.repeat(1001) })],
  cars_condition_check: [anew('cars', { vin: 'ANOTHER', condition: 'x'.repeat(301) })],
  cars_owners_check: [
    anew('cars', { vin: 'ANOTHER', owners: 0 }),
    anew('cars', { vin: 'ANOTHER', owners: 100 }),
  ],
  cars_title_holder_check: [anew('cars', { vin: 'ANOTHER', title_holder: 'DEALER' })],
  // Photos: each breaks one of the rules in one constraint.
  cars_have_photos: photoLists.map((photos) => anew('cars', { vin: 'ANOTHER', photos })),
  trades_have_photos: photoLists.map((photos) => anew('trades', { vin: 'ANOTHER', photos })),
  pictures_id_check: [again('pictures', { id: 'not a digest' })],
  pictures_width_check: [
    again('pictures', { id: 'cd'.repeat(32), width: 0 }),
    again('pictures', { id: 'cd'.repeat(32), width: 1921 }),
  ],
  deal_photos_pkey: [again('deal_photos')],
  one_link_per_side: [again('agreement_links', { hash: aDigest })],
  agreement_links_party_check: [again('agreement_links', { hash: aDigest, party: 'DEALER' })],
  documents_pkey: [again('documents')],
  documents_digest_check: [again('documents', { digest: '\\x00' })],
  documents_byte_count_check: [again('documents', { digest: aDigest, byte_count: 0 })],
  agreement_pdfs_pkey: [again('agreement_pdfs')],
  agreement_pdfs_size_check: [again('agreement_pdfs', { size: 'A3' })],
  agreement_pdfs_check: [again('agreement_pdfs', { size: 'A4', digest: aDigest })],
  evidence_tallies_pkey: [again('evidence_tallies')],
  seal_certificates_pkey: [again('seal_certificates')],
  seal_certificates_check: [again('seal_certificates', { fingerprint: aDigest })],
  // The log of evidence.
  log_leaves_pkey: [again('log_leaves', { row_id: anId(), digest: aDigest })],
  log_leaves_digest_key: [again('log_leaves', { place: 1000, row_id: anId() })],
  log_leaves_kind_row_id_key: [again('log_leaves', { place: 1000, digest: aDigest })],
  log_leaves_place_check: [again('log_leaves', { place: -1, row_id: anId(), digest: aDigest })],
  log_leaves_kind_check: [again('log_leaves', { place: 1000, kind: 'rumor', digest: aDigest })],
  log_leaves_digest_check: [again('log_leaves', { place: 1000, row_id: anId(), digest: '\\xab' })],
  log_nodes_pkey: [again('log_nodes')],
  log_nodes_level_check: [again('log_nodes', { level: -1 }), again('log_nodes', { level: 63 })],
  log_nodes_place_check: [again('log_nodes', { place: -1 })],
  log_nodes_hash_check: [again('log_nodes', { place: 1000, hash: '\\xab' })],
  log_heads_pkey: [again('log_heads')],
  log_heads_size_check: [again('log_heads', { size: 0 })],
  log_heads_root_check: [again('log_heads', { size: 1000, root: '\\xab' })],
  log_cosignatures_pkey: [again('log_cosignatures')],
  log_keys_id_check: [again('log_keys', { id: 'a key' })],
  cars_price_cents_check: [anew('cars', { price_cents: low }), anew('cars', { price_cents: high })],
  deals_price_cents_check: [anew('deals', { price_cents: low }), anew('deals', { price_cents: high })],
  deals_proposed_cents_check: [
    anew('deals', { ...proposed, proposed_cents: low }),
    anew('deals', { ...proposed, proposed_cents: high }),
  ],
  cars_payoff_cents_check: [anew('cars', { payoff_cents: low }), anew('cars', { payoff_cents: high })],
  trades_payoff_cents_check: [anew('trades', { payoff_cents: low }), anew('trades', { payoff_cents: high })],
  cars_lender_check: [anew('cars', { lender: 'x'.repeat(65) })],
  trades_lender_check: [anew('trades', { lender: 'x'.repeat(65) })],
  trades_price_cents_check: [anew('trades', { price_cents: 0 }), anew('trades', { price_cents: high })],
  trades_tax_credit_cents_check: [anew('trades', { tax_credit_cents: -1 })],
  deals_active_step_check: [anew('deals', { active_step: 7 }), anew('deals', { active_step: -1 })],
  deals_reached_step_check: [anew('deals', { reached_step: 7 }), anew('deals', { reached_step: -1 })],
  // References between rows.
  users_check: [anew('users', { email: null })],
  deals_check: [anew('deals', { buyer_id: passed.seller.id })],
  deals_check1: [anew('deals', { price_cents: null })],
  deals_check2: [anew('deals', { passed_at: null, dealer_id: null }), anew('deals', { package_id: null })],
  deals_check3: [anew('deals', { status: 'COMPLETED', passed_at: null, package_id: null, dealer_id: null })],
  a_proposal_has_a_time: [anew('deals', { ...proposed, proposed_at: null })],
  a_proposal_answers_terms: [anew('deals', { ...proposed, proposed_terms: null })],
  a_passed_deal_has_a_dealer: [anew('deals', { dealer_id: null })],
  only_what_ended_was_sold_elsewhere: [anew('deals', { sold_elsewhere: true })],
  deal_events_check: [next('deal_events', { event: 'sold', facts: { event: 'bought' } })],
  trades_check: [anew('trades', { status: 'PENDING', offer_expires_at: null })],
  trades_check1: [anew('trades', { tax_credit_cents: null })],
  trades_check2: [anew('trades', { offer_expires_at: null })],
  trades_offer_told_check: [anew('trades', { offer_told: 'MAYBE' })],
  an_ended_offer_has_price_and_time: [anew('trades', { ...ended, expired_price_cents: null })],
  an_ended_offer_waits_for_another: [
    anew('trades', { expired_price_cents: 100, expired_at: ended.expired_at }),
  ],
  signatures_sheet_hash_check: [signed({ sheet: 'another sheet' })],
  // Messages between the parties.
  deal_messages_text_check: [
    anew('deal_messages', { number: aNumber(), text: '' }),
    anew('deal_messages', { number: aNumber(), text: 'x'.repeat(2001) }),
  ],
  messages_seen_pkey: [again('messages_seen')],
  one_open_claim_per_person_and_car: [anew('car_claims')],
  claims_are_handled_with_an_outcome: [
    anew('car_claims', { claimant_id: other.id, outcome: 'KEPT' }),
    anew('car_claims', { claimant_id: other.id, handled_at: new Date().toISOString() }),
  ],
  car_claims_reason_check: [
    anew('car_claims', { claimant_id: other.id, reason: '' }),
    anew('car_claims', { claimant_id: other.id, reason: 'x'.repeat(1001) }),
  ],
  car_claims_facts_check: [anew('car_claims', { claimant_id: other.id, facts: [] })],
  car_claims_outcome_check: [
    anew('car_claims', { claimant_id: other.id, handled_at: new Date().toISOString(), outcome: 'MAYBE' }),
  ],
  one_active_suspension_per_person: [anew('suspensions')],
  suspensions_are_lifted_by_somebody: [anew('suspensions', { user_id: other.id, lifted_by: 'operator' })],
  suspensions_reason_check: [anew('suspensions', { user_id: other.id, reason: 'NONE' })],
  suspensions_note_check: [
    anew('suspensions', { user_id: other.id, note: '' }),
    anew('suspensions', { user_id: other.id, note: 'x'.repeat(1001) }),
  ],
  personal_tokens_hash_key: [anew('personal_tokens')],
  personal_tokens_hash_check: [aTokenRow({ hash: '\\xcd' })],
  personal_tokens_name_check: [aTokenRow({ name: '' }), aTokenRow({ name: 'x'.repeat(61) })],
  personal_tokens_start_check: [aTokenRow({ start: 'kt' }), aTokenRow({ start: 'x'.repeat(13) })],
  personal_tokens_scopes_check: [aTokenRow({ scopes: [] })],
  a_token_lasts_a_year_at_most: [aTokenRow({ expires_at: '2036-01-01' })],
  message_reports_pkey: [again('message_reports')],
  message_reports_reason_check: [
    again('message_reports', { reason: '' }),
    again('message_reports', { reason: 'x'.repeat(1001) }),
  ],
  signatures_drawing_check: [signed({ drawing: '' }), signed({ drawing: 'x'.repeat(8001) })],
}

// R-safe-1, R-everywhere-23
test.each(Object.entries(breaches))('rejects a row that breaks %s', async (name, rows) => {
  for (const { table, with: changes } of rows) {
    const columns = written.get(table)
    const copied = server.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from (select (jsonb_populate_record(one, $1)).* from ${table} one order by one limit 1) copied`,
      [JSON.stringify(changes)],
    )
    await expect(copied).rejects.toMatchObject({ constraint: name })
  }
})

test('covers every constraint of the database with the rows above', async () => {
  const rules = await server.query<{ name: string }>(
    `select conname as name from pg_constraint
     where connamespace = 'public'::regnamespace and contype in ('u', 'c', 'p')
       and pg_get_constraintdef(oid) not in ('PRIMARY KEY (id)', 'PRIMARY KEY (hash)') and conname <> 'migrations_pkey'
     union
     select relname from pg_index join pg_class on oid = indexrelid
     where indisunique and relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
  )
  expect(Object.keys(breaches).sort()).toEqual(rules.map(({ name }) => name).sort())
})

// evidence-permissions.test.ts tests the triggers of these tables.
const evidence = [
  ...'account_events admin_events agreement_pdfs consents deal_events delivery_tries log_heads log_keys'.split(
    ' ',
  ),
  ...'log_leaves log_nodes packages partner_calls passkey_signatures seal_certificates signatures signer_acts trade_events'.split(
    ' ',
  ),
]

test('protects only the rows of evidence tables from changes', async () => {
  const kept = await server.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where proname = 'refuse_change' order by 1`,
  )
  expect(kept.map(({ name }) => name)).toEqual(evidence)
})
