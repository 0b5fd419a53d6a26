import { apiDocs } from '@keyturn/contract/api-docs.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { allErrors } from '@keyturn/contract/errors.ts'
import { buildOpenApi, shapeOf, templatesOf } from '@keyturn/contract/openapi/build-openapi.ts'
import type { DocumentedResponse, Reference } from '@keyturn/contract/openapi/document.ts'
import { defineEndpoint, errorCodesOf } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { watchDeclaredErrors } from '../../../tests/support/undeclared-errors.ts'
import { createErrorHandler } from './error-handlers.ts'
import { registerEndpoint } from './register-endpoint.ts'

const shapes = { callers: ['anyone'], response: z.object({}) } as const

// R-everywhere-31
test('fails the test file and logs an error when an endpoint returns an undeclared code', async () => {
  const { app, lines, check } = aServer()
  registerEndpoint(app.http, defineEndpoint('GET /silent', shapes), () => {
    throw apiErrors.StaleVersion()
  })
  // The response is the usual error, and a test might not look at it.
  expect((await app.inject('/silent')).json().errorCode).toBe('StaleVersion')
  expect(check).toThrow('GET /silent answered StaleVersion, which it does not declare in "errors"')
  const line = { level: 50, msg: 'undeclared error', call: 'GET /silent', code: 'StaleVersion' }
  expect(lines).toEqual([expect.objectContaining(line)])
})

test('accepts the codes that an endpoint declares and those common to its kind', async () => {
  const { app, lines, check } = aServer()
  registerEndpoint(app.http, defineEndpoint('GET /honest', { ...shapes, errors: ['StaleVersion'] }), () => {
    throw apiErrors.StaleVersion()
  })
  registerEndpoint(app.http, defineEndpoint('GET /closed', { ...shapes, callers: ['trader'] }), () => ({}))
  expect((await app.inject('/honest')).statusCode).toBe(409)
  expect((await app.inject('/closed')).statusCode).toBe(401)
  check()
  expect(lines).toEqual([])
})

test('derives an endpoint’s authorization errors from its callers', () => {
  const codes = Object.fromEntries(allEndpoints.map((one) => [one.name, errorCodesOf(one)]))
  const doors = ['InvalidAccessToken', 'InvalidAdminAccessToken', 'EmailNotVerified', 'Forbidden']
  const doorsOf = (name: string) => doors.filter((code) => codes[name]?.some((one) => one === code))
  expect(doorsOf('POST /auth/login')).toEqual([])
  expect(doorsOf('GET /user')).toEqual(['InvalidAccessToken'])
  expect(doorsOf('GET /tax')).toEqual(['InvalidAccessToken', 'EmailNotVerified'])
  expect(doorsOf('POST /trades')).toEqual(['InvalidAccessToken', 'EmailNotVerified', 'Forbidden'])
  expect(doorsOf('GET /admin/mails')).toEqual(['InvalidAdminAccessToken'])
  // The endpoints of dealers and of the desk declare it themselves, because the message id is their
  // key.
  const named = allEndpoints.filter(
    ({ name, isIdempotent }) => !isIdempotent && codes[name]?.includes('IdempotencyKeyReused'),
  )
  expect(named.map(({ path }) => path)).toEqual(['/desk/deals/:pkgId', '/partner/deals/:pkgId'])
  const keyed = allEndpoints.filter(({ isIdempotent }) => isIdempotent)
  expect(keyed.filter(({ name }) => !codes[name]?.includes('IdempotencyKeyReused'))).toEqual([])
})

test('lists every error code of an endpoint under its status in the OpenAPI document', () => {
  const { paths, components } = buildOpenApi({
    calls: allEndpoints,
    errors: allErrors,
    docs: apiDocs,
    version: '0',
  })
  const templates = templatesOf(allEndpoints)
  const codesIn = (response: DocumentedResponse | Reference | undefined): unknown[] => {
    const found =
      response && '$ref' in response
        ? components.responses[response.$ref.replace('#/components/responses/', '')]
        : response
    const { allOf = [] } = found?.content?.['application/json']?.schema ?? {}
    return allOf.flatMap(({ properties }) => properties?.errorCode?.enum ?? [])
  }
  for (const one of allEndpoints) {
    const operation = paths[templates.get(shapeOf(one)) ?? '']?.[one.method.toLowerCase()]
    const listed = Object.values(operation?.responses ?? {}).flatMap(codesIn)
    expect([one.name, listed.sort()]).toEqual([one.name, errorCodesOf(one).sort()])
  }
  const responses = paths['/progress/complete/{pkgId}']?.post?.responses
  expect(codesIn(responses?.['409'])).toEqual(['InvalidTransition', 'DealPaused', 'IdempotencyInFlight'])
})

/** A server without endpoints. */
function aServer() {
  const lines: unknown[] = []
  const loggerInstance: FastifyBaseLogger = pino(
    { level: 'error' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const { onApiError, check } = watchDeclaredErrors()
  const app = fastify({ loggerInstance })
  app.setErrorHandler(createErrorHandler(onApiError))
  const http = {
    app,
    findSessions: async () => ({ user: null, administrator: null }),
    checkRateLimit: () => undefined,
    adminAuditLog: { admit: () => undefined, finish: async () => undefined },
    runRead: () => Promise.reject(new Error('no database')),
    runOnce: async () => '',
  }
  onTestFinished(() => app.close())
  return { app: Object.assign(app, { http }), lines, check }
}
