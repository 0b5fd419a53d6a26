-- The notice that says the same in the bell: once that is done, nobody needs the mail any more.
alter table mails add column notice char(24);
