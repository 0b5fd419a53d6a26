// @module-tag full

import { expect, test, vi } from 'vitest'
import { startServerOn } from '../../../tests/cluster/start-server-on.ts'
import { startWebhookReceiver } from '../../../tests/support/dealers/webhook-receiver.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import { aSaleAt } from '../../../tests/support/sales/deals.ts'
import { serverAddress } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// A real server process and an OTLP receiver.

type Value = { stringValue?: string; intValue?: number }
type Span = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Value }[]
  status: { code?: number }
}
/** Receives traces by OTLP. */
async function aCollector() {
  const bodies: string[] = []
  const { url, received } = await startWebhookReceiver((response, { body }) => {
    if (response.req.url === '/v1/traces') bodies.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const spans = (): Span[] =>
    bodies
      .flatMap((body) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
  return { url: new URL(url).origin, received, spans }
}

const about = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? Number(value?.intValue)
}

// Prints the loaded OpenTelemetry modules at exit, except types and no-op stubs that prom-client
// loads.
const tellingLoaded = `data:text/javascript,import { createRequire } from 'node:module'
const { cache } = createRequire('/')
process.on('exit', () => console.error('loaded ' + Object.keys(cache).filter((path) => path.includes('@opentelemetry') && !path.includes('@opentelemetry/api/')).length))`
const NODE_OPTIONS = `--import ${tellingLoaded.replaceAll('\n', '%0A').replaceAll(' ', '%20')}`

test('traces requests, statements, jobs, emails and deliveries under their parents, without values', async () => {
  const [receiver, dealer] = [await aCollector(), await startWebhookReceiver()]
  const outside = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    DEALER_WEBHOOK_URL: dealer.url,
    DEALER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    WEBHOOKS_PRIVATE: 'allow',
  }
  const testServer = await startTestServer(outside)
  const buyer = await aBuyer(testServer)
  const server = await startServerOn(testServer, {
    ...outside,
    NODE_OPTIONS,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc',
  })
  const [traceId, above] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const login = await fetch(`${serverAddress(server)}/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      traceparent: `00-${traceId}-${above}-01`,
    },
    body: JSON.stringify({ email: buyer.email, password: 'not the password' }),
  })
  expect(login.status).toBe(401)
  const odd = { traceparent: `00-${'0'.repeat(32)}-${above}-01` }
  expect((await fetch(`${serverAddress(server)}/user`, { headers: odd })).status).toBe(401)
  const sale = await aSaleAt(testServer, 'passed')
  const find = (name: string) => receiver.spans().find((span) => span.name === name)
  await vi.waitFor(() => {
    for (const name of ['POST /auth/login', 'GET /user', 'mail', 'delivery'])
      expect(find(name), name).toBeDefined()
  }, 60_000)

  const request = find('POST /auth/login')
  expect(request).toMatchObject({ traceId, parentSpanId: above, kind: 2 })
  expect(about(request, 'http.response.status_code')).toBe(401)
  expect(about(request, 'keyturn.request_id')).toBe(login.headers.get('x-request-id'))
  const statements = receiver.spans().filter((span) => span.parentSpanId === request?.spanId)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements)
    expect(statement).toMatchObject({ name: expect.stringMatching(/^[a-z][a-z0-9-]*$/), traceId, kind: 3 })
  // An invalid traceparent header is ignored.
  expect(find('GET /user')?.traceId).not.toMatch(/^0+$/)
  expect(find('GET /user')?.parentSpanId ?? '').toBe('')
  for (const [input, job] of [
    ['mail', 'job send-mail'],
    ['delivery', 'job deliver-deal'],
  ] as const)
    await vi.waitFor(() => {
      const below = find(input)
      expect(receiver.spans().find(({ spanId }) => spanId === below?.parentSpanId)?.name).toBe(job)
    }, 20_000)
  // The receiver can continue the trace.
  const delivery = find('delivery')
  expect(dealer.received.map(({ headers }) => headers.traceparent)).toContain(
    `00-${delivery?.traceId}-${delivery?.spanId}-01`,
  )
  expect(receiver.received[0]?.headers).toMatchObject({ 'api-key': 'abc' })
  const all = receiver.received.map(({ body }) => body).join()
  expect(all).toContain('"keyturn"')
  for (const personal of [buyer.email, sale.buyer.email, 'Basil', sale.at.vin, 'not the password', buyer.id])
    expect(all).not.toContain(personal)
  server.send('SIGTERM')
  expect(await server.ended, server.err()).toBe(0)
  expect(server.err()).toMatch(/loaded [1-9]\d+/)
}, 120_000)

test('loads no tracing code without the setting', async () => {
  const testServer = await startTestServer()
  const server = await startServerOn(testServer, { NODE_OPTIONS })
  server.send('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.err()).toBe('loaded 0\n')
})
