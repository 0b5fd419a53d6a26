-- Keys that the servers of this database make by themselves: encrypted with their SESSION_SECRET, of no use to whoever has the table alone.
create table server_keys (
  name text primary key,
  encrypted bytea not null,
  -- SHA-256 of the key: whoever has the key itself can tell, when the secret is another one.
  digest bytea not null
);
