-- The files of a photo lie below the data folder or in an object store, under the photo's id. The row is there before the
-- first of them and goes after the last, so that no file is ever without one.
create table pictures (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  width int not null check (width between 1 and 1920),
  created_at timestamptz not null default keyturn_now(),
  -- From then on it is swept, unless somebody turns out to refer to it. Null: somebody does.
  sweep_after timestamptz
);
create index pictures_to_sweep on pictures (sweep_after) where sweep_after is not null;

-- The photos of a car stand in its own row, in order, so that showing it stays one read of one row.
create function are_photos(photos jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 20
    and jsonb_array_length(photos) = (select count(distinct one ->> 'id') from jsonb_array_elements(photos) one)
    and not exists (
      select from jsonb_array_elements(photos) one
      where (one ->> 'id' ~ '^[0-9a-f]{64}$' and (one ->> 'width')::int between 1 and 1920
        and (one ->> 'height')::int between 1 and 2560 and length(one ->> 'placeholder') between 1 and 64
        and length(one ->> 'caption') <= 120) is not true
    )
$$;
alter table cars add column photos jsonb not null default '[]' constraint cars_have_photos
  check (photos = '[]' or are_photos(photos));
alter table trades add column photos jsonb not null default '[]' constraint trades_have_photos
  check (photos = '[]' or are_photos(photos));
-- Finds whether anybody shows a picture.
create index cars_by_photo on cars using gin (photos jsonb_path_ops) where photos <> '[]';
create index trades_by_photo on trades using gin (photos jsonb_path_ops) where photos <> '[]';

-- What the two of a deal were shown when they signed. A deal that both have signed keeps it for good.
create table deal_photos (
  deal_id char(24) not null references deals (id),
  picture_id text not null references pictures (id),
  photo jsonb not null,
  -- The terms that stood when it was shown last.
  car_terms_version int not null,
  deal_terms_version int not null,
  primary key (deal_id, picture_id)
);
create index deal_photos_by_picture on deal_photos (picture_id);

-- It asks for its next turn itself.
insert into jobs (name, key) values ('sweep-pictures', 'sweep-pictures');
