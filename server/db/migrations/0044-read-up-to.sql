-- Up to which notice somebody has marked all as read: one row a person, however many notices that are.
create table notification_marks (
  user_id char(24) primary key references users (id),
  read_to timestamptz(3) not null,
  read_to_id char(24) not null
);
