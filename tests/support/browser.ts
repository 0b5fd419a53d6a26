import type { Endpoint, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { z } from 'zod'
import { checkDocumented } from './http/documented-responses.ts'
import { recordSecret, recordSecretsIn } from './secrets.ts'

type ErrorBody = {
  errorCode: string
  message: string
  errors?: { path: string; message: string }[]
  current?: unknown
}
export type SentRequest<C extends Endpoint> = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
  /** The decoded response. Reading it fails the test when the response is an error. */
  readonly answer: EndpointOutput<C>
  readonly error: ErrorBody
}

export type Browser = {
  cookies: Map<string, string>
  /** Sends the input unchanged: body values have wire units (dollars). */
  send<C extends Endpoint>(
    call: C,
    input?: WireInput,
    headers?: Record<string, string>,
  ): Promise<SentRequest<C>>
  /** Sends the input, and fails the test when the response is an error. */
  ask<C extends Endpoint>(
    call: C,
    input?: WireInput,
    headers?: Record<string, string>,
  ): Promise<EndpointOutput<C>>
}
export type WireInput = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: object
  /** The body of endpoints that accept a file. */
  file?: { bytes: Buffer; type: string }
}

/** The server of a browser: an app in this process, or a server in another one. */
export type RequestTarget = {
  inject(request: BrowserRequest): Promise<{
    statusCode: number
    headers: SentRequest<Endpoint>['headers']
    body: string
    cookies: { name: string; value: string; maxAge?: number }[]
  }>
}
export type BrowserRequest = {
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  payload?: Buffer | object
}

/** Opens a client that stores cookies and sends the `Sec-Fetch` headers of the app. */
export function createTestClient(app: RequestTarget): Browser {
  const cookies = new Map<string, string>()
  const send: Browser['send'] = async (call, input = {}, headers = {}) => {
    recordSecretsIn({ ...input.params, ...input.body })
    const response = await app.inject({
      method: call.method,
      url: addressOf(call, input),
      headers: {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
        ...(cookies.size > 0
          ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...(input.file && { 'content-type': input.file.type }),
        ...headers,
      },
      ...(input.body === undefined && !input.file ? {} : { payload: input.file?.bytes ?? input.body }),
    })
    for (const cookie of response.cookies)
      if (cookie.value === '' || cookie.maxAge === 0) cookies.delete(cookie.name)
      else {
        cookies.set(cookie.name, cookie.value)
        recordSecret(cookie.value)
      }
    if (reachesRoute(input)) checkDocumented(call, { ...response, status: response.statusCode })
    for (const [token] of response.body.matchAll(tokens)) recordSecret(token)
    return sentOf(call, response.statusCode, response.headers, response.body)
  }
  return {
    cookies,
    send,
    ask: async (call, input, headers) => (await send(call, input, headers)).answer,
  }
}

/** Personal access tokens, which one endpoint returns. */
const tokens = /\bkt_[\w-]{49}/g

/** An empty part makes the address of another route, and one of more than 300 characters of none. */
const reachesRoute = ({ params = {} }: WireInput): boolean =>
  Object.values(params).every((part) => part.length > 0 && part.length <= 300)

function addressOf(call: Endpoint, { params = {}, query = {} }: WireInput): string {
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}

function sentOf<C extends Endpoint>(
  call: C,
  status: number,
  headers: SentRequest<C>['headers'],
  body: string,
): SentRequest<C> {
  return {
    status,
    headers,
    body,
    get answer() {
      if (status >= 300) throw new Error(`${call.name} answered ${status}: ${body}`)
      return (call.response as z.ZodType<EndpointOutput<C>>).parse(JSON.parse(body))
    },
    get error() {
      if (status < 300) throw new Error(`${call.name} was not refused: ${body}`)
      return JSON.parse(body) as ErrorBody
    },
  }
}
