-- Wholesalers read first who has waited longest for an offer, and after them what was answered, newest first. One column
-- orders both, so that a page is still read from one index: the place of a trade that waits is a moment far ahead, the
-- further the longer it waits (29348006400 is the year 2900); that of any other is when it was submitted.
alter table trades add column list_place timestamptz generated always as (
  case when status in ('PENDING', 'OFFER')
    then to_timestamp(29348006400 - extract(epoch from (moved_at - timestamptz '1970-01-01 00:00:00+00'))::float8)
    else created_at
  end
) stored;

drop index trades_newest;
drop index trades_newest_by_status;
create index trades_listed on trades (list_place desc, id desc) where deleted_at is null;
create index trades_listed_by_status on trades (status, list_place desc, id desc) where deleted_at is null;
