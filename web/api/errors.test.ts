import type { editUser, login, loginByLink } from '@keyturn/contract/accounts/endpoints.ts'
import { lookUpTaxRate } from '@keyturn/contract/trades/endpoints.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import { expect, expectTypeOf, test } from 'vitest'
import type { useCurrentPassword } from '../features/accounts/use-current-password.tsx'
import { hasErrorCode, offlineError } from './errors.ts'
import type { useEndpointMutation } from './mutations/use-endpoint-mutation.ts'

// `tsc` is part of these tests: a `@ts-expect-error` without an error does not compile.

test('accepts only the endpoint’s error codes in a check', () => {
  const fault: unknown = tradeErrors.UnknownZip()
  expect(hasErrorCode(fault, lookUpTaxRate, 'UnknownZip')).toBe(true)
  expect(hasErrorCode(fault, lookUpTaxRate, 'EmailNotVerified')).toBe(false)
  expect(hasErrorCode(fault, lookUpTaxRate, 'EmailNotVerified', 'UnknownZip')).toBe(true)
  expect(hasErrorCode(offlineError(), lookUpTaxRate, 'Offline')).toBe(true)
  expect(hasErrorCode(new Error('UnknownZip'), lookUpTaxRate, 'UnknownZip')).toBe(false)
  // @ts-expect-error: misspelt
  hasErrorCode(fault, lookUpTaxRate, 'UnknownZipp')
  // @ts-expect-error: a code of another endpoint
  hasErrorCode(fault, lookUpTaxRate, 'InvalidVin')
})

test('types a mutation’s error with the codes of its endpoint', () => {
  type Code = NonNullable<ReturnType<typeof useEndpointMutation<typeof loginByLink>>['error']>['code']
  expectTypeOf<'InvalidLoginLink' | 'Offline'>().toExtend<Code>()
  expectTypeOf<'InvalidResetCode'>().not.toExtend<Code>()
})

test('accepts only endpoints that can require the password', () => {
  expectTypeOf<typeof editUser>().toExtend<Parameters<typeof useCurrentPassword<typeof editUser>>[0]>()
  expectTypeOf<typeof login>().not.toExtend<Parameters<typeof useCurrentPassword<typeof login>>[0]>()
})
