-- One link for each side of a signed agreement, sent in its email: it opens the PDF without an account. Only the hash is stored.
create table agreement_links (
  hash bytea primary key,
  package_id char(24) not null references packages (id),
  party text not null check (party in ('SELLER', 'BUYER')),
  created_at timestamptz not null default keyturn_now(),
  constraint one_link_per_side unique (package_id, party)
);
