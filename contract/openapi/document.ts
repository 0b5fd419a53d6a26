// The parts of an OpenAPI 3.1 document that we write and read.

export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  multipleOf?: number
}
export type MediaTypes = Record<string, { schema?: JsonSchema; example?: unknown; examples?: unknown }>
export type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}
export type Reference = { $ref: string }
export type DocumentedResponse = {
  description: string
  headers?: Record<string, Reference>
  content?: MediaTypes
}
export type RateLimitDocs = { max: number; withinSeconds: number; per: 'person' | 'address' }
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: MediaTypes }
  responses: Record<string, DocumentedResponse | Reference>
  /** The only callers that have access, as in `contract/shared/endpoint.ts`. */
  'x-callers': string[]
  /** The scope of an access token that may call it. */
  'x-token-scope'?: string
  'x-rate-limits'?: RateLimitDocs[]
  'x-idempotent'?: true
  'x-internal'?: true
}
export type Webhook = Omit<Operation, 'security' | 'x-callers'> & { security: [] }
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Webhook }>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, object>
    parameters: Record<string, object>
    headers: Record<string, object>
    responses: Record<string, DocumentedResponse>
    examples: Record<string, { summary: string; value: unknown }>
  }
}
