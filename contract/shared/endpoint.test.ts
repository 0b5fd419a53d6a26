import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { login } from '../accounts/endpoints.ts'
import type { addCar } from '../cars/endpoints.ts'
import { defineEndpoint, type ErrorCodeOf } from './endpoint.ts'
import { ApiError, errorFactories } from './error.ts'

// `tsc` is part of these tests: a `@ts-expect-error` without an error does not compile.

test('allows an endpoint to declare only codes from an error table', () => {
  const shapes = { callers: ['anyone'], response: z.string() } as const
  expect(defineEndpoint('GET /', { ...shapes, errors: ['StaleVersion'] }).path).toBe('/')
  // @ts-expect-error: misspelled
  expect(defineEndpoint('GET /a', { ...shapes, errors: ['StaleVersoin'] }).path).toBe('/a')
  // @ts-expect-error: a code of the page, which no server returns
  expect(defineEndpoint('GET /b', { ...shapes, errors: ['Offline'] }).path).toBe('/b')
})

test('requires a code from a table for an error', () => {
  // @ts-expect-error: unknown code
  expect(new ApiError('Sorry', 400, 'Sorry.').message).toBe('Sorry.')
  // @ts-expect-error: its table has not been added to `ErrorCodes`
  expect(errorFactories({ Sorry: [400, 'Sorry.'] }).Sorry().status).toBe(400)
})

test('knows the error codes of an endpoint by its type', () => {
  expectTypeOf<'VinAlreadyListed' | 'EmailNotVerified' | 'Unavailable'>().toExtend<
    ErrorCodeOf<typeof addCar>
  >()
  expectTypeOf<'InvalidCredentials'>().not.toExtend<ErrorCodeOf<typeof addCar>>()
  expectTypeOf<'InvalidAdminAccessToken'>().not.toExtend<ErrorCodeOf<typeof addCar>>()
  expectTypeOf<'InvalidCredentials'>().toExtend<ErrorCodeOf<typeof login>>()
  expectTypeOf<'InvalidAccessToken'>().not.toExtend<ErrorCodeOf<typeof login>>()
})
