-- Cosignatures of the log's heads by witnesses (c2sp.org/tlog-witness). Each proves itself, so no trigger guards them.
create table log_cosignatures (
  size bigint not null references log_heads (size),
  -- The witness's public key in its published form.
  witness text not null,
  -- The signature line, without its line break.
  line text not null,
  -- The time that the witness signed.
  at timestamptz not null,
  primary key (size, witness)
);
create index log_cosignatures_by on log_cosignatures (witness, size);
