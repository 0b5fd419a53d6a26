-- Whom deals are passed to (R-deals-73). The default dealer is made of settings: what is empty here stands there.
create table dealers (
  id char(24) primary key,
  name text,
  webhook_url text,
  -- Encrypted: whoever reads this table can sign nothing.
  secrets bytea,
  email text,
  phone text,
  hours text,
  active boolean not null default true,
  is_default boolean not null default false,
  version bigint not null default nextval('row_versions'),
  created_at timestamptz not null default keyturn_now(),
  constraint a_dealer_has_a_name check (is_default or name is not null),
  constraint the_default_dealer_is_active check (active or not is_default)
);
create unique index one_default_dealer on dealers (is_default) where is_default;

-- Where a dealer takes deals: ZIP codes from one to another, as numbers.
create table dealer_areas (
  dealer_id char(24) not null references dealers (id),
  first_zip int not null check (first_zip >= 0),
  last_zip int not null check (last_zip <= 99999),
  primary key (dealer_id, first_zip, last_zip),
  constraint an_area_ends_after_it_begins check (first_zip <= last_zip)
);

insert into dealers (id, is_default) values (substr(md5(random()::text || clock_timestamp()::text), 1, 24), true);

-- Whose deal it is, by the car's ZIP code: what contract/deals/dealers.ts says of it, in the database's words.
create function dealer_for(zip text) returns char(24) language sql stable as $$
  select coalesce(
    (select dealers.id from dealer_areas join dealers on dealers.id = dealer_areas.dealer_id
     where dealers.active and zip is not null
     order by greatest(first_zip - zip::int, zip::int - last_zip, 0), last_zip - first_zip, dealers.created_at, dealers.id
     limit 1),
    (select id from dealers where is_default))
$$;

-- Whom a deal was passed to; until then it is whoever is nearest.
alter table deals add column dealer_id char(24) references dealers (id);
update deals set dealer_id = (select id from dealers where is_default) where passed_at is not null;
alter table deals add constraint a_passed_deal_has_a_dealer check ((passed_at is null) = (dealer_id is null));
