import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { login } from '../accounts/calls.ts'
import type { addCar } from '../cars/calls.ts'
import { type CodeOf, call } from './call.ts'
import { Refusal, refusals } from './refusal.ts'

// What does not compile fails `tsc`, which checks that each of these lines would be an error.

test('a call names only codes that stand in a table of refusals', () => {
  const shapes = { who: ['anyone'], answer: z.string() } as const
  // @ts-expect-error: misspelt
  expect(call('GET /a', { ...shapes, refuses: ['StaleVersoin'] }).path).toBe('/a')
  // @ts-expect-error: what a page says when nothing came is no answer of a server
  expect(call('GET /b', { ...shapes, refuses: ['Offline'] }).path).toBe('/b')
})

test('a refusal has a code that stands in a table', () => {
  // @ts-expect-error: nobody knows this one
  expect(new Refusal('Sorry', 400, 'Sorry.').message).toBe('Sorry.')
  // @ts-expect-error: its table has not been added to `RefusalCodes`
  expect(refusals({ Sorry: [400, 'Sorry.'] }).Sorry().status).toBe(400)
})

test('of a call it is known which codes it can be refused with', () => {
  expectTypeOf<'VinAlreadyListed' | 'EmailNotVerified' | 'Unavailable'>().toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidCredentials'>().not.toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidAdminAccessToken'>().not.toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidCredentials'>().toExtend<CodeOf<typeof login>>()
  expectTypeOf<'InvalidAccessToken'>().not.toExtend<CodeOf<typeof login>>()
})
