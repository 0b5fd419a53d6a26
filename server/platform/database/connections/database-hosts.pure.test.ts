import { expect, test } from 'vitest'
import { allowsStandbyHosts, formatDatabaseAddress, splitDatabaseAddress } from './database-hosts.ts'

const several = 'postgres://me:p%40ss@one:5432,[::1]:5433,%2Ftmp%2Fsocket/cars?sslmode=no-verify'

test('splits an address with several hosts into one address per host', () => {
  expect(splitDatabaseAddress(several)).toEqual([
    'postgres://me:p%40ss@one:5432/cars?sslmode=no-verify',
    'postgres://me:p%40ss@[::1]:5433/cars?sslmode=no-verify',
    'postgres://me:p%40ss@%2Ftmp%2Fsocket/cars?sslmode=no-verify',
  ])
  for (const one of ['postgres://host/cars', 'postgres://me:a,b@host/cars?x=1,2', 'postgres:///cars'])
    expect(splitDatabaseAddress(one)).toEqual([one])
})

test('formats an address without the user and the password', () => {
  expect(formatDatabaseAddress(several)).toBe('one:5432,[::1]:5433,%2Ftmp%2Fsocket/cars')
  expect(formatDatabaseAddress('postgres://me:a@b@host/cars?password=secret')).toBe('host/cars')
})

test('detects an address that accepts a read-only server', () => {
  expect(allowsStandbyHosts(several)).toBe(false)
  expect(allowsStandbyHosts('postgres://a,b/cars?sslmode=disable&target_session_attrs=read-write')).toBe(
    false,
  )
  expect(allowsStandbyHosts('postgres://a,b/cars?target_session_attrs=primary')).toBe(false)
  for (const other of ['any', 'standby', 'read-only', 'prefer-standby'])
    expect(allowsStandbyHosts(`postgres://a,b/cars?target_session_attrs=${other}`)).toBe(true)
})
