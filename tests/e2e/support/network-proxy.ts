import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A proxy in front of the product that can disconnect and simulate a newer build. */
export type NetworkProxy = {
  origin: string
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  /** Changes the service worker's file from now on. */
  rewriteServiceWorker(change: (script: string) => string): void
  close(): Promise<void>
}

export async function startNetworkProxy(product: string): Promise<NetworkProxy> {
  let change = (script: string) => script
  const listen = (server: Server, port: number) =>
    new Promise<void>((done) => server.listen(port, 'localhost', done))
  const start = () =>
    createServer((incoming, outgoing) => {
      const isWorker = incoming.url === '/sw.js'
      const headers = isWorker ? {} : incoming.headers
      const forwarded = request(
        new URL(incoming.url ?? '/', product),
        { method: incoming.method, headers },
        (response) => {
          if (isWorker) return void rewrite(response, outgoing)
          outgoing.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(outgoing)
        },
      )
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    })
  /** Drops the headers that describe the original file. */
  const rewrite = async (given: IncomingMessage, answer: ServerResponse) => {
    const { 'content-length': _length, etag: _etag, 'last-modified': _time, ...headers } = given.headers
    answer.writeHead(given.statusCode ?? 502, headers).end(change(await text(given)))
  }
  let server = start()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return {
    origin: `http://localhost:${port}`,
    disconnect: close,
    reconnect: async () => {
      server = start()
      await listen(server, port)
    },
    rewriteServiceWorker: (newChange) => {
      change = newChange
    },
    close: close,
  }
}
