-- An append-only log of all signatures and packages (R-deals-63), hashed as RFC 6962 says. Places have no gaps: whoever
-- appends holds the log's lock until the commit.
create table log_leaves (
  place bigint primary key check (place >= 0),
  kind text not null check (kind in ('signature', 'package')),
  row_id char(24) not null,
  digest bytea not null unique check (length(digest) = 32),
  unique (kind, row_id)
);

-- A node for every 2^level leaves that are there, from place * 2^level on: all heads and proofs are made of a few of them.
create table log_nodes (
  level smallint not null check (level between 0 and 62),
  place bigint not null check (place >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (level, place)
);

-- Every head that was ever signed, and the keys that signed them.
create table log_keys (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  verifier text not null,
  first_used_at timestamptz not null default keyturn_now()
);
create table log_heads (
  size bigint primary key check (size > 0),
  root bytea not null check (length(root) = 32),
  at timestamptz not null default keyturn_now(),
  key_id text not null references log_keys (id),
  note text not null
);

create trigger log_leaves_stay before update or delete on log_leaves for each row execute function refuse_change();
create trigger log_leaves_stay_whole before truncate on log_leaves for each statement execute function refuse_change();
create trigger log_nodes_stay before update or delete on log_nodes for each row execute function refuse_change();
create trigger log_nodes_stay_whole before truncate on log_nodes for each statement execute function refuse_change();
create trigger log_keys_stay before update or delete on log_keys for each row execute function refuse_change();
create trigger log_keys_stay_whole before truncate on log_keys for each statement execute function refuse_change();
create trigger log_heads_stay before update or delete on log_heads for each row execute function refuse_change();
create trigger log_heads_stay_whole before truncate on log_heads for each statement execute function refuse_change();

-- What was signed before there was a log is put into it once.
insert into jobs (name, key) values ('fill-evidence-log', 'fill-evidence-log');
