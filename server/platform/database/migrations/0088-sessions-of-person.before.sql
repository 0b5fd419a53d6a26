-- Lists a person's sign-ins, also those that have ended.
create index concurrently sessions_of_person on sessions (user_id, signed_in_at desc);
