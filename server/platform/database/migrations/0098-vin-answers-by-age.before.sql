-- Finds results of the VIN decoder that have come into the age at which they are removed.
create index concurrently vin_answers_by_age on vin_answers (asked_at);
