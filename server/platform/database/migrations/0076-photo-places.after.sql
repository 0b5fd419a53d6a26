-- The place at which an upload was picked, in `place`: unique per car and per trade, so that the order of uploads is never ambiguous.
create or replace function are_photos(photos jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(photos) = 'array' and jsonb_array_length(photos) <= 20
    and jsonb_array_length(photos) = (select count(distinct one ->> 'id') from jsonb_array_elements(photos) one)
    and not exists (
      select from jsonb_array_elements(photos) one
      where (one ->> 'id' ~ '^[0-9a-f]{64}$' and (one ->> 'width')::int between 1 and 1920
        and (one ->> 'height')::int between 1 and 2560 and length(one ->> 'placeholder') between 1 and 64
        and length(one ->> 'caption') <= 120 and coalesce(one ->> 'place', '0123456789abcdef-0000') ~ '^[0-9a-f]{16}-[0-9]{4}$') is not true
    )
    and (select count(distinct one ->> 'place') = count(one ->> 'place') from jsonb_array_elements(photos) one)
$$;
