-- Whoever ever sealed a PDF: public parts only, published so that a PDF can be checked when its key is long out of use.
create table seal_certificates (
  fingerprint bytea primary key,
  certificate bytea not null,
  first_used_at timestamptz not null default keyturn_now(),
  check (fingerprint = sha256(certificate))
);
create trigger seal_certificates_stay before update or delete on seal_certificates
  for each row execute function refuse_change();
create trigger seal_certificates_stay_whole before truncate on seal_certificates
  for each statement execute function refuse_change();

-- PDFs of the version that kept them without a seal are made once more, with one.
alter table agreement_pdfs disable trigger agreement_pdfs_stay;
insert into jobs (name, key, payload)
  select 'keep-agreement', 'agreement of ' || package_id, jsonb_build_object('packageId', package_id)
  from agreement_pdfs where size = 'Letter'
  on conflict (key) do nothing;
delete from agreement_pdfs;
alter table agreement_pdfs enable trigger agreement_pdfs_stay;
alter table agreement_pdfs add column sealed_with bytea not null references seal_certificates (fingerprint);

-- What goes out with a mail: the room that wrote it knows what it is and has it.
alter table mails add column attachment text;
