-- Whether anybody has ever begun to buy a car: nothing reads it (decision 72).
drop trigger deals_make_cars_wanted on deals;
drop function note_wanted_car();
alter table cars drop column is_wanted;

-- Stored answers were once found by the beginning of their JSON.
drop index idempotency_keys_by_answer;
