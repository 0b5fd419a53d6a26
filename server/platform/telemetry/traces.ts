import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { routeNameOf } from './count-requests.ts'
import { type SpanInput, setTracing } from './with-span.ts'

/** Sends traces by OTLP. Loaded only if a setting names the receiver (decision 51). */
export type Traces = {
  watchRequests(app: FastifyInstance): void
  /** Traces SQL statements as children of their request or job. */
  watchStatements(pool: pg.Pool): void
  close(): Promise<void>
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, work: SpanKind.INTERNAL }

export function createTraces(config: NonNullable<Config['traces']>, log: Logger): Traces {
  const { url, headers, service, ratio } = config
  const root = new TraceIdRatioBasedSampler(ratio)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    // A request header cannot force sampling: the operator's ratio applies to sampled parents too.
    // Unsampled parents are never sampled.
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [
      new BatchSpanProcessor(
        logFailures(new OTLPTraceExporter({ url, headers, timeoutMillis: 5_000 }), log),
        {
          scheduledDelayMillis: 1_000,
        },
      ),
    ],
  })
  const tracer = provider.getTracer('keyturn')
  const currentSpan = new AsyncLocalStorage<Span>()

  function startSpan({ name, kind = 'work', about = {}, from }: SpanInput): Span {
    const own = currentSpan.getStore()
    const above = own ? trace.setSpan(ROOT_CONTEXT, own) : contextOf(from)
    return tracer.startSpan(name, { kind: kinds[kind], attributes: about }, above)
  }

  function endSpan(span: Span, isFault: boolean): void {
    // Error messages may quote user input, so they appear only in the log.
    if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  async function run<T>(input: SpanInput, work: () => Promise<T>): Promise<T> {
    const span = startSpan(input)
    let isFault = true
    try {
      const done = await currentSpan.run(span, work)
      isFault = false
      return done
    } finally {
      endSpan(span, isFault)
    }
  }

  setTracing({ run, parent: () => parentOf(currentSpan.getStore()) })

  return {
    watchRequests(app) {
      const spans = new WeakMap<object, Span>()
      app.addHook('onRequest', (request, _reply, done) => {
        const from = request.headers.traceparent
        const span = startSpan({
          name: routeNameOf(request),
          kind: 'server',
          about: { 'http.request.method': request.method, 'keyturn.request_id': request.id },
          from: typeof from === 'string' ? from : undefined,
        })
        spans.set(request, span)
        currentSpan.run(span, done)
      })
      // The body is read in the async context of the connection, not of the request.
      app.addHook('preValidation', (request, _reply, done) => {
        const span = spans.get(request)
        if (span) currentSpan.run(span, done)
        else done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        const span = spans.get(request)
        span?.setAttribute('http.response.status_code', reply.statusCode)
        if (span) endSpan(span, reply.statusCode >= 500)
        done()
      })
    },
    watchStatements(pool) {
      const connect = pool.connect.bind(pool) as (then?: unknown) => unknown
      // Otherwise the callback would run in the async context that released the connection.
      pool.connect = ((then?: () => void) =>
        then ? connect(AsyncResource.bind(then)) : connect()) as pg.Pool['connect']
      pool.on('connect', (client) => watchClient(client))
    },
    async close() {
      setTracing(null)
      await provider.shutdown()
    },
  }

  function watchClient(client: pg.PoolClient): void {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const watched = (...given: unknown[]) => {
      if (!currentSpan.getStore()) return query(...given)
      const name = statementName(given[0])
      const span = startSpan({ name, kind: 'client', about: { 'db.system.name': 'postgresql' } })
      const then = given.at(-1)
      if (typeof then === 'function') {
        const ended = (error: unknown, ...rest: unknown[]) => {
          endSpan(span, Boolean(error))
          then(error, ...rest)
        }
        return query(...given.slice(0, -1), ended)
      }
      const result = query(...given)
      if (result instanceof Promise)
        result.then(
          () => endSpan(span, false),
          () => endSpan(span, true),
        )
      else endSpan(span, false)
      return result
    }
    client.query = watched as pg.PoolClient['query']
  }
}

/** Returns the statement's name or its verb, because the text may contain user input. */
function statementName(question: unknown): string {
  const { name, text = '' } = typeof question === 'string' ? { text: question } : (question as pg.QueryConfig)
  return name ?? /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement'
}

function contextOf(from: string | undefined): Context {
  const remote = from === undefined ? null : parseTraceParent(from)
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT
}

const propagator = new W3CTraceContextPropagator()

function parentOf(span: Span | undefined): string | null {
  const carrier: Record<string, string> = {}
  if (span) propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter)
  return carrier.traceparent ?? null
}

/** Logs a failure once, and not again until sending works. */
function logFailures(exporter: OTLPTraceExporter, log: Logger): OTLPTraceExporter {
  const send = exporter.export.bind(exporter)
  let isFailing = false
  exporter.export = (spans, then) =>
    send(spans, (result) => {
      const failed = result.code !== 0
      if (failed && !isFailing)
        log.warn(
          { because: result.error?.message },
          'traces are lost, because the receiver does not accept them',
        )
      if (!failed && isFailing) log.info('the receiver accepts traces again')
      isFailing = failed
      then(result)
    })
  return exporter
}
