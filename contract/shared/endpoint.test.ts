import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { login } from '../accounts/endpoints.ts'
import type { addCar } from '../cars/endpoints.ts'
import { type CodeOf, call } from './endpoint.ts'
import { Refusal, refusals } from './error.ts'

// `tsc` checks these too: a `@ts-expect-error` without an error does not compile.

test('a call can only declare codes from a table of refusals', () => {
  const shapes = { who: ['anyone'], answer: z.string() } as const
  // @ts-expect-error: misspelt
  expect(call('GET /a', { ...shapes, refuses: ['StaleVersoin'] }).path).toBe('/a')
  // @ts-expect-error: the page's own code, which no server answers with
  expect(call('GET /b', { ...shapes, refuses: ['Offline'] }).path).toBe('/b')
})

test('a refusal must have a code from a table', () => {
  // @ts-expect-error: unknown code
  expect(new Refusal('Sorry', 400, 'Sorry.').message).toBe('Sorry.')
  // @ts-expect-error: its table has not been added to `RefusalCodes`
  expect(refusals({ Sorry: [400, 'Sorry.'] }).Sorry().status).toBe(400)
})

test('the type of a call knows which codes it can be refused with', () => {
  expectTypeOf<'VinAlreadyListed' | 'EmailNotVerified' | 'Unavailable'>().toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidCredentials'>().not.toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidAdminAccessToken'>().not.toExtend<CodeOf<typeof addCar>>()
  expectTypeOf<'InvalidCredentials'>().toExtend<CodeOf<typeof login>>()
  expectTypeOf<'InvalidAccessToken'>().not.toExtend<CodeOf<typeof login>>()
})
