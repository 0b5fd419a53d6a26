-- Files that the object store has under the SHA-256 of their bytes. The row is inserted before the file and deleted after it, so no
-- file is ever without one. Null in sweep_after: evidence refers to it.
create table documents (
  digest bytea primary key check (length(digest) = 32),
  byte_count int not null check (byte_count > 0),
  stored_at timestamptz not null default keyturn_now(),
  sweep_after timestamptz
);
create index documents_to_sweep on documents (sweep_after) where sweep_after is not null;

create function refuse_to_lose_document() returns trigger language plpgsql as $$
begin
  raise exception 'a document of evidence stays' using errcode = 'restrict_violation';
end $$;
create trigger a_document_of_evidence_stays before update or delete on documents
  for each row when (old.sweep_after is null) execute function refuse_to_lose_document();

-- Both reschedule themselves.
insert into jobs (name, key) values
  ('remove-old-rows', 'remove-old-rows'), ('sweep-documents', 'sweep-documents');
