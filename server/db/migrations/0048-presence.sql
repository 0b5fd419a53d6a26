-- A person's own switch: nobody is told when they look at a deal, and they are told of nobody (R-deals-82).
alter table users add column hides_presence boolean not null default false;
