import type { OpenApiDocument } from './document.ts'

const signed = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })
const sentHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})
const signatureFormat =
  '`v1,` and the HMAC-SHA256 in base64, as standardwebhooks.com specifies; two during a change of keys'

/** Parts of the document that many operations share. */
export const components: Pick<OpenApiDocument['components'], 'securitySchemes' | 'parameters' | 'headers'> = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'A personal access token, from Settings. It reaches operations with one of its scopes.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-at',
      description:
        'The cookie of a sign-in (`POST /auth/login`), for ten minutes; `GET /auth/refresh` renews it with the cookie `__Host-rt`. On http of a developer’s own machine the names have no prefix.',
    },
    administrator: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-aat',
      description:
        'The cookie of an administrator’s sign-in (`POST /auth/admin/login`), for five minutes. Support only reads. Where `operator` is named, the caller has to be an operator.',
    },
    webhookId: signed('webhook-id', 'An id of the message. A repeated id counts once.'),
    webhookTimestamp: signed('webhook-timestamp', 'Seconds since 1970, at most five minutes off.'),
    webhookSignature: signed(
      'webhook-signature',
      `${signatureFormat}, over \`id.timestamp.METHOD path\`, a line feed and the exact body.`,
    ),
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'At most 255 characters of your choice, such as a UUID. A repeated request with the same key gets the first response again and changes nothing.',
      schema: { type: 'string', maxLength: 255 },
      example: '0b9c5d0e-6a0f-4f6e-9a55-1a2b3c4d5e6f',
    },
    WebhookId: sentHeader(
      'webhook-id',
      'Stays the same when a delivery is repeated.',
      'f1e2d3c4b5a697887766554f',
    ),
    WebhookTimestamp: sentHeader('webhook-timestamp', 'Seconds since 1970.', '1795789200'),
    WebhookSignature: sentHeader(
      'webhook-signature',
      `${signatureFormat}, over \`id.timestamp.body\`.`,
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  },
  headers: {
    RequestId: { description: 'Names the request in the logs of the operator.', schema: { type: 'string' } },
    Link: {
      description: 'The URL of the next page with `rel="next"`; absent on the last page.',
      schema: { type: 'string' },
      example: '</notifications?limit=50&cursor=MjAyNi0x>; rel="next"',
    },
    IdempotentReplayed: {
      description: '`true` if this is the stored response to an earlier request with the same key.',
      schema: { type: 'string', enum: ['true'] },
    },
    WwwAuthenticate: {
      description: 'Why an access token was rejected, as RFC 6750 specifies; absent without a token.',
      schema: { type: 'string' },
      example: 'Bearer realm="Keyturn", error="insufficient_scope", scope="cars:write"',
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  },
}

/** The body of every error; an operation names its codes. */
export const errorSchema: OpenApiDocument['components']['schemas'] = {
  Error: {
    type: 'object',
    description: 'The body of every response from 400 on.',
    required: ['errorCode', 'message'],
    additionalProperties: false,
    properties: {
      errorCode: { type: 'string', description: 'Stable, for programs.' },
      message: { type: 'string', description: 'A sentence for people, which may change.' },
      errors: {
        type: 'array',
        description: 'The fields that are invalid, each with one sentence.',
        items: { $ref: '#/components/schemas/FieldError' },
      },
      current: { description: 'With some conflicts, such as StaleVersion: the row as it is now.' },
      requestId: {
        type: 'string',
        description: 'With InternalError: the request in the logs of the operator.',
      },
    },
  },
  FieldError: {
    type: 'object',
    required: ['path', 'message'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'The field, such as `price` or `data.tradeVins.0`.' },
      message: { type: 'string', description: 'What is wrong, for people.' },
    },
  },
}
