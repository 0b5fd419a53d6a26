-- Guards behind the checks of the server: suspended people start nothing, and deals on hold do not move on.

create function check_suspended_mark() returns trigger language plpgsql as $$
begin
  if new.suspended_at is distinct from (select suspended_at from suspensions where user_id = new.id and lifted_at is null) then
    raise exception 'a suspended person has a suspension'
      using errcode = 'check_violation', constraint = 'users_are_suspended_as_recorded';
  end if;
  return new;
end $$;
create trigger a_mark_needs_a_suspension before update of suspended_at on users for each row
  when (new.suspended_at is distinct from old.suspended_at) execute function check_suspended_mark();

create function check_not_suspended() returns trigger language plpgsql as $$
begin
  if is_suspended((to_jsonb(new) ->> tg_argv[0])::char(24)) then
    raise exception 'a suspended person starts nothing'
      using errcode = 'check_violation', constraint = 'suspended_people_start_nothing';
  end if;
  return new;
end $$;
create trigger a_session_is_not_of_a_suspended_person before insert on sessions
  for each row execute function check_not_suspended('user_id');
create trigger a_car_is_not_of_a_suspended_person before insert on cars
  for each row execute function check_not_suspended('seller_id');
create trigger a_trade_is_not_of_a_suspended_person before insert on trades
  for each row execute function check_not_suspended('owner_id');
-- An offer that ends or is rejected makes the trade free; everything else waits.
create trigger a_trade_waits_for_its_owner before update of status on trades for each row
  when (new.status is distinct from old.status and new.status in ('OFFERED', 'OFFER', 'ACCEPTED'))
  execute function check_not_suspended('owner_id');
create trigger a_trade_waits_for_its_wholesaler before update of status on trades for each row
  when (new.status is distinct from old.status and new.status in ('OFFERED', 'OFFER', 'ACCEPTED'))
  execute function check_not_suspended('offered_by');

create function check_not_paused() returns trigger language plpgsql as $$
begin
  if is_paused(new) then
    raise exception 'a deal on hold does not move on'
      using errcode = 'check_violation', constraint = 'deals_on_hold_wait';
  end if;
  return new;
end $$;
create trigger a_deal_does_not_start_on_hold before insert on deals for each row execute function check_not_paused();
-- A deal on hold can end, and its 72 hours can.
create trigger a_deal_on_hold_waits before update on deals for each row
  when (
    new.withdrawn_at is null and (
      new.status in ('ACCEPTED', 'COMPLETED') and new.status is distinct from old.status
      or new.status = 'PENDING' and old.status in ('STARTED', 'REJECTED')
      or new.price_cents is distinct from old.price_cents
      or new.proposed_cents is not null and new.proposed_cents is distinct from old.proposed_cents
      or new.exclusive_until is not null and new.exclusive_until is distinct from old.exclusive_until
      or new.passed_at is not null and old.passed_at is null
    )
  ) execute function check_not_paused();

create function check_deal_not_paused() returns trigger language plpgsql as $$
begin
  if exists (select from deals deal where deal.id = new.deal_id and is_paused(deal)) then
    raise exception 'a deal on hold does not move on'
      using errcode = 'check_violation', constraint = 'deals_on_hold_wait';
  end if;
  return new;
end $$;
create trigger a_deal_on_hold_is_not_signed before insert on signatures
  for each row execute function check_deal_not_paused();
create trigger a_deal_on_hold_has_no_new_message before insert on deal_messages
  for each row execute function check_deal_not_paused();
