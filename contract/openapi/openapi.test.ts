import { expect, test } from 'vitest'
import { apiDocs } from '../api-docs.ts'
import { allEndpoints } from '../endpoints.ts'
import { allErrors } from '../errors.ts'
import { buildOpenApi } from './build-openapi.ts'
import type { JsonSchema } from './document.ts'

const document = buildOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0' })
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

// R-everywhere-66
test('documents every endpoint once, and nothing else', () => {
  const documented = apiDocs.flatMap((module) => Object.keys(module.operations))
  expect(documented.sort()).toEqual(allEndpoints.map(({ name }) => name).sort())
  for (const { summary } of operations) {
    expect(summary).toMatch(/^[A-Z][^.]*$/)
    expect([summary, summary.split(' ').length <= 12]).toEqual([summary, true])
  }
})

// R-everywhere-66
test('explains every field that an integrator reads', () => {
  const unexplained = new Set<string>()
  const visit = (schema: JsonSchema, at: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!field.description && !isResolvedByName(field)) unexplained.add(`${at}: ${name}`)
      visit(field, at)
    }
    for (const part of [
      schema.items,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ])
      if (part) visit(part, at)
  }
  for (const operation of operations.filter((one) => !one['x-internal'])) {
    visit(operation.requestBody?.content['application/json']?.schema ?? {}, operation.operationId)
    for (const parameter of operation.parameters)
      if ('name' in parameter && !parameter.description)
        unexplained.add(`${operation.operationId}: ${parameter.name}`)
    for (const response of Object.values(operation.responses))
      if ('content' in response)
        visit(response.content?.['application/json']?.schema ?? {}, operation.operationId)
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (!isForOperators(name)) visit(schema, name)
  expect([...unexplained]).toEqual([])
})

// R-everywhere-66
test('leaves lengths and ranges to the schemas that check them', () => {
  const repeated: string[] = []
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { description, schema = part } = part as { description?: unknown; schema?: JsonSchema }
    const { maxLength, maxItems, maximum } = schema as JsonSchema
    const isChecked = [maxLength, maxItems, maximum].some((limit) => limit !== undefined)
    if (isChecked && typeof description === 'string' && /\d+ to \d+|at most|up to/i.test(description))
      repeated.push(description)
    Object.values(part).forEach(visit)
  }
  visit([document.paths, document.components.schemas])
  expect(repeated).toEqual([])
})

test('names a schema once, and refers to it elsewhere', () => {
  const names = Object.keys(document.components.schemas)
  for (const name of ['User', 'Car', 'Deal', 'Trade', 'Package', 'Message', 'Notification', 'Error'])
    expect(names).toContain(name)
  const listCars = document.paths['/cars/{userId}']?.get?.responses['200']
  expect(listCars && 'content' in listCars && listCars.content?.['application/json']?.schema).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/DashboardCar' },
  })
  // Only a request may omit what has a default.
  const { Financing, FinancingInput } = document.components.schemas
  expect([Financing?.required?.length, FinancingInput?.required]).toEqual([4, undefined])
})

test('shows which token may call an operation', () => {
  const { get, delete: remove } = document.paths['/cars/{userId}'] ?? {}
  expect(get?.security).toEqual([{ session: [] }, { token: ['cars:read'] }])
  expect(remove).toBeUndefined()
  expect(document.paths['/progress/update']?.patch?.security).toEqual([{ session: [] }])
  expect(document.paths['/partner/deals/{pkgId}']?.post?.security).toEqual([
    { webhookId: [], webhookTimestamp: [], webhookSignature: [] },
  ])
})

// R-accounts-53
test('shows which calls are for every administrator, and which for operators alone', () => {
  const securityOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.security
  expect(securityOf('getAdminPeople')).toEqual([{ administrator: [] }])
  expect(securityOf('postAdminPeopleUserIdSuspend')).toEqual([{ administrator: ['operator'] }])
  expect(securityOf('getTrades')).toEqual([{ session: [] }, { administrator: [] }])
  expect(securityOf('patchTradesTradeId')).toEqual([{ session: [] }, { administrator: ['operator'] }])
  expect(securityOf('postProgressCompletePkgId')).toEqual([
    { administrator: ['operator'] },
    { webhookId: [], webhookTimestamp: [], webhookSignature: [] },
  ])
  for (const { operationId, 'x-callers': callers, 'x-internal': isInternal } of operations)
    if (callers.every((name) => ['administrator', 'operator'].includes(name)))
      expect([operationId, isInternal]).toEqual([operationId, true])
})

const isResolvedByName = ({ $ref }: JsonSchema): boolean => $ref !== undefined
const isForOperators = (name: string): boolean =>
  /^(AdminEvent|Administrator|SignedInAdministrator|FoundPerson|PersonState|Suspension|Passkey)$/.test(
    name,
  ) ||
  /^(Claim|ClaimedCar|Dealer|Delivery|DeliveryAttempt|DeskDeal|MailboxEmail|QueuedEmail|Report|Wholesaler)$/.test(
    name,
  )
