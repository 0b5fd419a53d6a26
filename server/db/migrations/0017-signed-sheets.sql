-- A signature is given on the whole sheet, every sentence and every fact, and keeps its bytes. The rows written before
-- were given on the facts alone: they stay as they are and say so.
alter table signatures drop column shown_at;
alter table signatures
  -- 1: the digest covers the facts and the version of the text. 2: it covers the sheet.
  add column hashed_as smallint not null default 1 check (hashed_as in (1, 2)),
  add column sheet text,
  add column sheet_hash bytea,
  add check ((hashed_as = 1) = (sheet is null)),
  add check ((sheet is null) = (sheet_hash is null)),
  add check (sheet_hash = sha256(convert_to(sheet, 'UTF8')));
alter table signatures alter column hashed_as drop default;
