import type { z } from 'zod'
import { type Endpoint, errorCodesOf, isAdminCaller, isTokenError } from '../shared/endpoint.ts'
import type { ApiError, ErrorCode } from '../shared/error.ts'
import { components, errorSchema } from './components.ts'
import type {
  DocumentedResponse,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  RateLimitDocs,
  Reference,
  Webhook,
} from './document.ts'
import { type FieldDocs, fieldDocs } from './field-docs.ts'
import { introduction, toMarkdown } from './introduction.ts'
import type { ModuleDocs, OperationDocs, WebhookDocs } from './module-docs.ts'
import { createNamedSchemas, type NamedSchemas } from './named-schemas.ts'

type ErrorFactories = Record<ErrorCode, () => ApiError>
export type OpenApiInput = {
  calls: readonly Endpoint[]
  errors: ErrorFactories
  docs: readonly ModuleDocs[]
  version: string
  limitsOf?: (call: Endpoint) => readonly RateLimitDocs[]
}
type Context = OpenApiInput & {
  schemas: NamedSchemas
  fields: FieldDocs
  /** Error responses by their codes; many operations share them. */
  responses: Record<string, DocumentedResponse>
}

/** Builds the OpenAPI 3.1 document from the schemas that validate the endpoints (R-everywhere-66). */
export function buildOpenApi(input: OpenApiInput): OpenApiDocument {
  const { calls, docs, version } = input
  const fields = fieldDocs
  const schemas = createNamedSchemas(docs, fields)
  const context: Context = { ...input, schemas, fields, responses: {} }
  const paths: OpenApiDocument['paths'] = {}
  const templates = templatesOf(calls)
  for (const call of calls) {
    const path = templates.get(shapeOf(call)) ?? call.path
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, path, context) }
  }
  const webhooks = docs.flatMap((module) =>
    Object.entries(module.webhooks ?? {}).map(
      ([name, hook]) => [name, { post: webhookOf(name, hook, module.tag.name, schemas) }] as const,
    ),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keyturn',
      version,
      summary: 'Private used-car sales, from listing to both signatures.',
      description: toMarkdown(introduction),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that publishes this document' }],
    tags: docs.map(({ tag }) => tag),
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: {
      ...components,
      schemas: { ...schemas.components(), ...errorSchema },
      responses: context.responses,
      examples: errorExamples(context),
    },
  }
}

/** Two paths are the same to OpenAPI if they differ only in the names of their parameters. */
export const shapeOf = ({ path }: Pick<Endpoint, 'path'>): string => path.replace(/:[A-Za-z]+|\*/g, '{}')

/** The path in the document by its shape. A wildcard needs a name, and different names become one. */
export function templatesOf(calls: readonly Endpoint[]): Map<string, string> {
  const names = new Map<string, string[]>()
  for (const call of calls) {
    const own = namesIn(call)
    const known = names.get(shapeOf(call)) ?? own
    names.set(
      shapeOf(call),
      own.map((name, at) =>
        known[at] === name ? name : `${known[at]}Or${name[0]?.toUpperCase()}${name.slice(1)}`,
      ),
    )
  }
  return new Map(
    [...names].map(([shape, own]) => {
      const rest = [...own]
      return [shape, shape.replace(/\{\}/g, () => `{${rest.shift()}}`)]
    }),
  )
}

const namesIn = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/:([A-Za-z]+)|\*/g)].map(([, name = 'path']) => name)

const idOf = ({ method, path }: Endpoint): string =>
  `${method.toLowerCase()}${path.replace('/*', '').replace(/[/:.-]+(.)/g, (_, first: string) => first.toUpperCase())}`

function operationOf(call: Endpoint, path: string, context: Context): Operation {
  const { tag, docs } = docsOf(call, context.docs)
  const isPaged = call.query !== undefined && 'cursor' in (call.query as z.ZodObject).shape
  const limits = context.limitsOf?.(call) ?? []
  return {
    operationId: idOf(call),
    tags: [tag],
    summary: docs.summary,
    ...(docs.description && { description: docs.description }),
    security: securityOf(call),
    parameters: [
      ...parametersOf(call.params, 'path', context).map((parameter) => ({
        ...parameter,
        name: nameInTemplate(call, path, parameter.name),
      })),
      ...parametersOf(call.query, 'query', context),
      ...(call.isIdempotent ? [parameterRef('IdempotencyKey')] : []),
    ],
    ...requestBodyOf(call, docs, context),
    responses: {
      ...successesOf(call, context.schemas, isPaged),
      ...errorResponsesOf(call, context),
    },
    'x-callers': [...call.callers],
    ...(call.scope && { 'x-token-scope': call.scope }),
    ...(limits.length > 0 && { 'x-rate-limits': [...limits] }),
    ...(call.isIdempotent && { 'x-idempotent': true }),
    ...((docs.isInternal || isForAdministrators(call)) && { 'x-internal': true }),
  }
}

const isForAdministrators = ({ callers, path }: Endpoint): boolean =>
  callers.every(isAdminCaller) || path.startsWith('/auth/admin/')

function docsOf({ name }: Endpoint, docs: readonly ModuleDocs[]): { tag: string; docs: OperationDocs } {
  const module = docs.find(({ operations }) => name in operations)
  const found = module?.operations[name] ?? name
  return {
    tag: module?.tag.name ?? 'Other',
    docs: typeof found === 'string' ? { summary: found } : found,
  }
}

const parameterRef = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` })
const headerRef = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })

function securityOf({ callers, scope }: Endpoint): Operation['security'] {
  if (callers.includes('anyone')) return []
  const isForUsers = callers.some((name) => !isAdminCaller(name) && name !== 'partner')
  // The role that is needed; without one, every administrator may call.
  const adminRoles = callers.includes('administrator') ? [] : ['operator']
  return [
    ...(isForUsers ? [{ session: [] }] : []),
    ...(callers.some(isAdminCaller) ? [{ administrator: adminRoles }] : []),
    ...(callers.includes('partner') ? [{ webhookId: [], webhookTimestamp: [], webhookSignature: [] }] : []),
    ...(scope ? [{ token: [scope] }] : []),
  ]
}

function parametersOf(
  schema: z.ZodType | undefined,
  where: Parameter['in'],
  { schemas, fields }: Context,
): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.request(schema)
  return Object.entries(properties).map(([name, { description, ...shape }]) => {
    const [text, example] = fields[name] ?? []
    const about = description ?? text
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(about !== undefined && { description: about }),
      schema: shape,
      ...(example !== undefined && fits(example, shape) && { example }),
    }
  })
}

function nameInTemplate(call: Endpoint, template: string, name: string): string {
  const at = namesIn(call).indexOf(name === '*' ? 'path' : name)
  return [...template.matchAll(/\{(\w+)\}/g)][at]?.[1] ?? name
}

/** Whether an example suits a field: listed values speak for themselves, and a pattern must match. */
const fits = (
  example: unknown,
  { enum: choice, const: only, default: standard, pattern }: JsonSchema,
): boolean =>
  choice === undefined &&
  only === undefined &&
  standard === undefined &&
  (pattern === undefined || new RegExp(pattern, 'u').test(String(example)))

function requestBodyOf(
  { body, uploads }: Endpoint,
  { example }: OperationDocs,
  { schemas }: Context,
): Pick<Operation, 'requestBody'> {
  // OpenAPI describes raw bytes by their media type alone.
  if (uploads)
    return { requestBody: { required: true, content: Object.fromEntries(uploads.map((type) => [type, {}])) } }
  if (!body) return {}
  const content = { schema: schemas.request(body), ...(example !== undefined && { example }) }
  return {
    requestBody: { required: body._zod.optin !== 'optional', content: { 'application/json': content } },
  }
}

function successesOf(call: Endpoint, schemas: NamedSchemas, isPaged: boolean): Operation['responses'] {
  const status = call.status ?? 200
  const content = call.media
    ? { [call.media]: call.media.startsWith('text/') ? { schema: { type: 'string' } } : {} }
    : { 'application/json': { schema: schemas.response(call.response) } }
  const done: DocumentedResponse = {
    description: status === 201 ? 'Created.' : 'Done.',
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(isPaged && { Link: headerRef('Link') }),
      ...(call.isIdempotent && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    },
    content,
  }
  return call.existingDescription
    ? { 200: { ...done, description: call.existingDescription }, [status]: done }
    : { [status]: done }
}

function errorResponsesOf(call: Endpoint, { errors, responses }: Context): Operation['responses'] {
  const codes = errorCodesOf(call)
  const statusOf = (code: ErrorCode): number => errors[code]().status
  const statuses = [...new Set(codes.map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => statusOf(code) === status)
      const name = ofStatus.toSorted().join('-')
      responses[name] ??= errorResponse(status, ofStatus)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

const errorResponse = (status: number, codes: readonly ErrorCode[]): DocumentedResponse => ({
  description: codes.join(', '),
  ...((status === 429 || status === 503) && { headers: { 'Retry-After': headerRef('RetryAfter') } }),
  ...(codes.some(isTokenError) && { headers: { 'WWW-Authenticate': headerRef('WwwAuthenticate') } }),
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { errorCode: { enum: [...codes] } } }],
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

function errorExamples({ calls, errors }: Context): OpenApiDocument['components']['examples'] {
  const codes = [...new Set(calls.flatMap(errorCodesOf))].sort()
  return Object.fromEntries(
    codes.map((errorCode) => {
      const { status, message } = errors[errorCode]()
      const more =
        errorCode === 'ValidationError' ? { errors: [{ path: 'price', message: 'Invalid price.' }] } : {}
      return [errorCode, { summary: `${status} ${errorCode}`, value: { errorCode, message, ...more } }]
    }),
  )
}

function webhookOf(
  name: string,
  { summary, description, body }: WebhookDocs,
  tag: string,
  schemas: NamedSchemas,
): Webhook {
  return {
    operationId: `webhook${name.replace(/(?:^|\.)(.)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: [],
    parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map(parameterRef),
    // Keyturn is the sender, so nothing else is in the body.
    requestBody: { required: true, content: { 'application/json': { schema: schemas.response(body) } } },
    responses: {
      '2XX': {
        description: 'Stored. Any other answer, or none within 15 seconds, is sent again for three days.',
      },
    },
  }
}
