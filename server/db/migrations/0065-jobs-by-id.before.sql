-- When a mail is sent next: the list of what has not left looked through all mails that wait for each that it shows.
create index concurrently jobs_by_id on jobs ((payload ->> 'id')) where payload ->> 'id' is not null;
