-- Evidence: what a signer did with the sheet of a deal. 'shown': a page showed it to them. 'pdf': they fetched it as a PDF before
-- signing. 'signed': the circumstances of a signature. Signatures from older servers have no row.
create table signer_acts (
  id bigint generated always as identity primary key,
  deal_id char(24) not null references deals (id),
  person_id char(24) not null references users (id),
  act text not null check (act in ('shown', 'pdf', 'signed')),
  -- SHA-256 of the sheet.
  sheet_hash bytea not null check (length(sheet_hash) = 32),
  at timestamptz not null default keyturn_now(),
  session_id char(24) not null,
  -- When the session began with the password; null: with a link from an email.
  signed_in_at timestamptz,
  -- The password was typed for this act.
  with_password boolean not null default false,
  signature_id char(24) references signatures (id),
  row_sum bytea not null default '',
  constraint a_signed_act_has_a_signature check ((act = 'signed') = (signature_id is not null))
);
-- A sheet counts as shown and as fetched once.
create unique index one_act_per_sheet on signer_acts (deal_id, signature_id, person_id, act, sheet_hash) nulls not distinct;

create trigger signer_acts_stay before update or delete on signer_acts for each row execute function refuse_change();
create trigger signer_acts_stay_whole before truncate on signer_acts for each statement execute function refuse_change();
create trigger summed before insert or update on signer_acts for each row execute function sum_row();
create trigger tallied after insert on signer_acts for each row execute function tally_row('deal_id');
