-- Whether anybody has ever begun to buy a car stands in its own row, so that the lock on that one row is enough to know
-- it: whoever changes a car that nobody wants looks at nothing else.
alter table cars add column is_wanted boolean not null default false;
update cars set is_wanted = true where exists (select from deals where deals.car_id = cars.id);

create function note_wanted_car() returns trigger language plpgsql as $$
begin
  update cars set is_wanted = true where id = new.car_id and not is_wanted;
  return null;
end $$;
create trigger deals_make_cars_wanted after insert on deals for each row execute function note_wanted_car();
