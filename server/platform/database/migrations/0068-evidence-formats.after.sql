-- Evidence in the one format that is written: events as facts, signatures over a sheet, notifications of an event. Older formats were
-- only ever in development databases, which are refused.
do $$
begin
  if exists (select from signatures where hashed_as <> 3)
    or exists (select from deal_events where facts is null)
    or exists (select from deal_events where event = 'termsChanged' and not (facts -> 'from' ? 'payoff' and facts -> 'to' ? 'payoff'))
    or exists (select from notifications where event is null)
    or exists (
      select from packages
      where contents -> 'agreement' ->> 'sheet' is null or contents -> 'car' -> 'photos' is null
        or contents -> 'agreement' -> 'seller' -> 'digest' is null or contents -> 'agreement' -> 'buyer' -> 'digest' is null)
  then
    raise exception 'this database has evidence in formats of development versions, which no release reads: start with an empty database';
  end if;
  -- The checksums below are made anew, so they must be right before.
  if exists (select from rows_changed('deal_events')) or exists (select from tallies_changed('deal_events')) then
    raise exception 'rows of deal_events are not as they were written: see npm run verify-agreements';
  end if;
end $$;

alter table deal_events disable trigger user;
alter table deal_events
  drop column "from",
  drop column "to",
  alter column facts set not null,
  add constraint deal_events_check check (facts ->> 'event' = event);
alter table deal_events enable trigger summed;
update deal_events set row_sum = default;
alter table deal_events enable trigger user;
update evidence_tallies tally set digest = sums.digest
from (select deal_id, bit_xor(bits_of(row_sum)) as digest from deal_events group by 1) sums
where tally.evidence = 'deal_events' and tally.about = sums.deal_id;

alter table signatures
  drop constraint signatures_hashed_as_check,
  drop constraint signatures_check,
  drop constraint signatures_check1,
  drop constraint signatures_check2,
  drop constraint signatures_check3,
  alter column sheet set not null,
  alter column sheet_hash set not null,
  add constraint signatures_hashed_as_check check (hashed_as = 3),
  add constraint signatures_sheet_hash_check check (sheet_hash = sha256(convert_to(sheet, 'UTF8')));

alter table notifications
  drop constraint an_event_has_an_audience,
  drop constraint an_event_is_about_something,
  drop constraint without_recipient_for_wholesalers,
  alter column event set not null,
  alter column audience set not null,
  add constraint an_event_is_about_something check ((deal_id is null) <> (trade_id is null)),
  add constraint without_recipient_for_wholesalers check (recipient_id is not null or audience = 'WHOLESALERS');

delete from jobs where name = 'fill-evidence-log';
