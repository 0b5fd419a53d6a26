-- What a signer drew beside the typed signature, as strokes; a signature's digest covers it from here on.
alter table signatures
  add column drawing text check (length(drawing) between 1 and 8000),
  drop constraint signatures_hashed_as_check,
  -- 3: the digest covers the sheet and the drawing.
  add constraint signatures_hashed_as_check check (hashed_as in (1, 2, 3)),
  add check (drawing is null or hashed_as >= 3);
