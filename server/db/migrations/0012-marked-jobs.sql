-- Whose hands a job is in: the mark of a process, a number that it holds as a shared advisory lock for as long as it
-- lives. What is in the hands of a mark that nobody holds is due in seconds; run_at stays the limit for all the rest.
create sequence job_marks as int cycle;
alter table jobs add column held_by int;
create index jobs_held on jobs (held_by) where held_by is not null;

-- Each kind is taken by itself: a thousand mails that wait are not read on the way to a hold that is over.
create index jobs_of_kind on jobs (name, run_at, id);
drop index jobs_due;
