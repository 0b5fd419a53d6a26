-- What the VIN tables say about a car's body, kept with the car, so that every answer can say which drawing stands for it.
-- Null: nobody has looked the VIN up, or the tables do not know.
alter table cars add column body_class text;
alter table trades add column body_class text;
update cars set body_class = nullif(known.body_class, '') from vin_answers known where known.vin = cars.vin;
update trades set body_class = nullif(known.body_class, '') from vin_answers known where known.vin = trades.vin;
