import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A network connection to the product that can be cut, and can simulate a newer build. */
export type NetworkProxy = {
  origin: string
  disconnect(): Promise<void>
  reconnect(): Promise<void>
  /** Changes the service worker's own file from now on. */
  rewriteServiceWorker(change: (script: string) => string): void
  end(): Promise<void>
}

export async function openNetworkProxy(product: string): Promise<NetworkProxy> {
  let change = (script: string) => script
  const listen = (server: Server, port: number) =>
    new Promise<void>((done) => server.listen(port, 'localhost', done))
  const start = () =>
    createServer((asked, answer) => {
      const isWorker = asked.url === '/sw.js'
      const headers = isWorker ? {} : asked.headers
      const onward = request(
        new URL(asked.url ?? '/', product),
        { method: asked.method, headers },
        (given) => {
          if (isWorker) return void rewrite(given, answer)
          answer.writeHead(given.statusCode ?? 502, given.headers)
          given.pipe(answer)
        },
      )
      onward.on('error', () => answer.destroy())
      asked.pipe(onward)
    })
  /** Renames assets so that the browser has not seen them before. */
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
    rewriteServiceWorker: (wanted) => {
      change = wanted
    },
    end: close,
  }
}
