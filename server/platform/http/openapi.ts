import { type Endpoint, errorCodesOf } from '@keyturn/contract/shared/endpoint.ts'
import type { ApiError, ErrorCode } from '@keyturn/contract/shared/error.ts'
import { z } from 'zod'

type Json = Record<string, unknown>
type ErrorFactories = Record<ErrorCode, () => ApiError>

/** Generates the OpenAPI 3.1 document from the schemas that validate the endpoints. */
export function buildOpenApi(calls: readonly Endpoint[], errors: ErrorFactories, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call, errors) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keyturn',
      version,
      description:
        'Private used-car sales, from listing to both signatures. Calls of dealers’ systems (who: partner) are signed as ' +
        'standardwebhooks.com specifies, over the method, a space, the path, a line feed and the body; deliveries over the body alone.',
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: { FieldFault: fieldFaultSchema } },
  }
}

function operationOf(call: Endpoint, errors: ErrorFactories): Json {
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replace('/*', '').replace(/[/:]+(.)/g, (_, first: string) => first.toUpperCase())}`,
    tags: [call.path.split('/')[1]],
    summary: call.summary ?? `${call.method} ${call.path}`,
    description: `Who: ${call.callers.join(', ')}.`,
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...(call.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body) } } } }
      : {}),
    ...(call.uploads ? { requestBody: { required: true, content: filesOf(call.uploads) } } : {}),
    responses: {
      [call.status ?? 200]: {
        description: 'Done.',
        content: { [call.media ?? 'application/json']: { schema: schemaOf(call.response) } },
      },
      ...errorResponsesOf(call, errors),
    },
  }
}

/** OpenAPI describes raw bytes by their media type alone. */
const filesOf = (types: readonly string[]): Json => Object.fromEntries(types.map((type) => [type, {}]))

function errorResponsesOf(call: Endpoint, errors: ErrorFactories): Json {
  const codes = errorCodesOf(call)
  const statusOf = (code: ErrorCode): number => errors[code]().status
  const statuses = new Set(codes.map(statusOf))
  const responses = [...statuses].map((status) => {
    const ofStatus = codes.filter((code) => statusOf(code) === status)
    return [
      status,
      {
        description: ofStatus.map((code) => `${code}: ${errors[code]().message}`).join('\n'),
        content: { 'application/json': { schema: errorSchema(ofStatus) } },
      },
    ]
  })
  return Object.fromEntries(responses)
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: shape,
  }))
}

/** `io: 'input'` selects the JSON side of a codec, for requests and responses alike. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  return rest
}

const errorSchema = (codes: readonly string[]): Json => ({
  type: 'object',
  required: ['errorCode', 'message'],
  properties: {
    errorCode: { type: 'string', enum: codes },
    message: { type: 'string' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldFault' } },
    current: {},
  },
})

const fieldFaultSchema = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
}
