create table notifications (
  id char(24) primary key,
  recipient_id char(24) not null references users (id),
  type text not null check (type in ('TRADE_OFFERED', 'PRICE_UPDATED', 'Seller_Agreement', 'Buyer_Offer', 'Buyer_Agreement')),
  message text not null,
  -- What a wholesaler reads of it: no contact data, no prices of the sale (decisions D14).
  public_message text not null,
  -- To the millisecond, as the cursor of a list carries it: a finer time would be met twice or never.
  created_at timestamptz(3) not null default keyturn_now()
);
create index notifications_of_recipient on notifications (recipient_id, created_at desc, id desc);
-- What wholesalers see (2 s6), so that no number of other rows lies between two of theirs.
create index notifications_for_wholesalers on notifications (created_at desc, id desc) where type <> 'TRADE_OFFERED';

-- Read state is each reader's own: a wholesaler's click never marks it read for the addressee.
-- The reader comes first: however a list is joined with it, nobody else's rows are met.
create table notification_reads (
  user_id char(24) not null references users (id),
  notification_id char(24) not null references notifications (id),
  read_at timestamptz not null default keyturn_now(),
  primary key (user_id, notification_id)
);
