-- What a seller may say of a car besides its details (R-cars-29). None of it is part of the agreement.
alter table cars
  add column description text not null default '' check (length(description) <= 1000),
  add column condition text not null default '' check (length(condition) <= 300),
  add column owners int check (owners between 1 and 99),
  add column title_holder text check (title_holder in ('SELLER', 'LENDER'));
