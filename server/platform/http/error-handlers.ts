import type { Socket } from 'node:net'
import { type Endpoint, errorCodesOf } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { tokenChallenge } from './authorization.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that the route implements. */
    call?: Endpoint
  }
}

export type OnApiError = (call: Endpoint, code: ApiError['code']) => void

/** Sends API errors unchanged; logs all other errors and returns a 500 without internals. */
export const createErrorHandler =
  (onApiError?: OnApiError) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const apiError = toApiError(error)
    const sent = apiError ?? apiErrors.InternalError()
    const call = request.routeOptions.config?.call
    request.refused = sent.code
    const challenge = tokenChallenge(request, sent)
    if (challenge !== null) reply.header('www-authenticate', challenge)
    if (call) {
      onApiError?.(call, sent.code)
      if (!isDeclaredError(call, sent.code))
        request.log.error({ ...logFieldsOf(request), call: call.name, code: sent.code }, 'undeclared error')
    }
    if (apiError) {
      if (apiError.status >= 500)
        request.log.warn({ ...logFieldsOf(request), err: innermost(error) }, apiError.code)
      return sendError(reply, apiError)
    }
    request.log.error({ ...logFieldsOf(request), err: innermost(error) }, 'unexpected error')
    return reply
      .code(sent.status)
      .send({ errorCode: sent.code, message: sent.message, requestId: request.id })
  }

/** Fields of every log entry about a request. */
export function logFieldsOf({ id, caller, dealId, params }: FastifyRequest) {
  const named = (params as { dealId?: string } | undefined)?.dealId
  return {
    reqId: id,
    user: caller?.user?.id,
    administrator: caller?.administrator ? true : undefined,
    // The path parameter is not validated yet.
    deal: dealId ?? (named && /^[0-9a-f]{24}$/.test(named) ? named : undefined),
  }
}

export const isDeclaredError = (call: Endpoint, code: ApiError['code']): boolean =>
  errorCodesOf(call).some((declared) => declared === code)

/** Fastify rejects an invalid URL before any hook runs, so the common headers are set here. */
export const createInvalidUrlHandler =
  (headers: Record<string, string>) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    void createErrorHandler()(error, request, reply.headers(headers).header('x-request-id', request.id))
  }

/** Handles invalid or incomplete HTTP, for which there is only a socket and no request. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = rawStatus[error.code ?? ''] ?? '400 Bad Request'
  const body = errorBody(error.code === requestTimeout ? apiErrors.RequestTimeout() : apiErrors.BadRequest())
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // A client that leaves its end open would hold the memory of the request.
  const timer = setTimeout(() => socket.destroy(), closeWithinMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Allows time for the response to arrive. */
const closeWithinMs = 2_000

const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT'
const rawStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  [requestTimeout]: '408 Request Timeout',
}

/** Only the cause is logged: database error wrappers quote query values such as emails. */
const innermost = (error: unknown): unknown =>
  error instanceof Error && error.cause ? innermost(error.cause) : error

export function sendError(reply: FastifyReply, apiError: ApiError): FastifyReply {
  const wait = apiError.retryAfterSeconds ?? (apiError.status === 503 ? 5 : undefined)
  if (wait !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(wait)))
  return reply.code(apiError.status).type('application/json; charset=utf-8').send(errorBody(apiError))
}

export const errorBody = (apiError: ApiError): string =>
  JSON.stringify({
    errorCode: apiError.code,
    message: apiError.message,
    errors: apiError.fields,
    current: apiError.current,
  })

export function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (isDatabaseUnavailable(error)) return apiErrors.Unavailable()
  const status = (error as Partial<FastifyError>).statusCode
  const code = status === undefined ? undefined : errorCodeOfStatus[status]
  return code ? apiErrors[code]() : null
}

/** Maps the status codes of Fastify's own errors. */
const errorCodeOfStatus: Record<number, keyof typeof apiErrors> = {
  400: 'BadRequest',
  // `@fastify/static` sends 403 for paths with `..` or a backslash.
  403: 'NotFound',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'Unavailable',
}

/**
 * Connection lost, unresponsive or refused; server starting, stopping, now a standby or not ours;
 * too many connections; statement or pool timeout; deadlock or serialization failure after a retry.
 */
const awayCodes =
  /^(08...|28000|28P01|3D000|57P0[1-5]|57014|53...|25006|25P03|40P01|40001|E(CONNREFUSED|CONNRESET|NOENT|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|ENOTFOUND)$/
const awayMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|client was closed/i

function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string' && awayCodes.test(code) && !(cause as Partial<FastifyError>).statusCode)
      return true
    if (awayMessages.test(cause.message)) return true
  }
  return false
}
