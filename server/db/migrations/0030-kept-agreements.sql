-- The signed agreement as a PDF: made once in each paper size and kept byte for byte.
create table agreement_pdfs (
  package_id char(24) not null references packages (id),
  size text not null check (size in ('Letter', 'A4')),
  bytes bytea not null,
  digest bytea not null check (digest = sha256(bytes)),
  made_at timestamptz not null default keyturn_now(),
  primary key (package_id, size)
);
-- A PDF is packed already.
alter table agreement_pdfs alter column bytes set storage external;

create trigger agreement_pdfs_stay before update or delete on agreement_pdfs for each row execute function refuse_change();
create trigger agreement_pdfs_stay_whole before truncate on agreement_pdfs for each statement execute function refuse_change();

-- What both had signed before PDFs were kept.
insert into jobs (name, key, payload)
  select 'keep-agreement', 'agreement of ' || id, jsonb_build_object('packageId', id) from packages;
