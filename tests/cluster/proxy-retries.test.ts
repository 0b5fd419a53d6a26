// @module-tag full

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestFolder } from '../support/server-process.ts'
import { isInstalled, type ProxyName, startProxy } from './proxies.ts'
import { createProxyClient } from './proxy-client.ts'

const names: ProxyName[] = ['nginx', 'haproxy']
const methods = ['PUT', 'DELETE', 'PATCH', 'POST']
describe.each(names)('behind %s', (name) => {
  // R-everywhere-45
  test.skipIf(!isInstalled(name))(
    'retries reads on the other server, but never a change',
    async () => {
      const received: string[] = []
      const [one, two] = [await startFailingServer(received), await startFailingServer(received)]
      const { tls } = await startProxy(name, createTestFolder(), [one, two], onTestFinished)
      const client = createProxyClient(tls)
      /** A proxy excludes a server for a while after it failed. */
      const untilBothServe = () =>
        vi.waitFor(async () => {
          const replies = await Promise.all(Array.from({ length: 6 }, () => client.send('GET', '/lives')))
          expect(new Set(replies.map(({ servedBy }) => servedBy)).size).toBe(2)
        }, patience)
      async function attempts(method: string, body?: object, path = '/dies'): Promise<string[]> {
        received.length = 0
        // A proxy may close the connection during a large body.
        const reply = await client.send(method, path, body ? { body } : {}).catch(() => null)
        if (reply) expect([502, 503, 504]).toContain(reply.status)
        await untilBothServe()
        return [...received]
      }
      await untilBothServe()
      for (const method of methods)
        for (const body of [undefined, { text: 'x' }, { text: 'x'.repeat(300_000) }])
          expect(await attempts(method, body)).toEqual([method])
      // This path has its own `location`.
      expect(await attempts('PUT', {}, '/auth/email/verify/dies')).toEqual(['PUT'])
      expect((await attempts('GET')).length).toBeGreaterThan(1)
    },
    240_000,
  )
})

const patience = { timeout: 30_000, interval: 200 }

/** Responds to every request, but cuts connections of requests for /dies after the first bytes. */
async function startFailingServer(received: string[]) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.on('data', (bytes) => {
      const [, method = '', path = ''] = /^([A-Z]+) (\S+) HTTP/.exec(bytes.toString('latin1')) ?? []
      if (path.endsWith('/dies')) {
        received.push(method)
        socket.destroy()
      } else if (method)
        socket.write(`HTTP/1.1 200 OK\r\nx-request-id: ${portOf(server)}-1\r\ncontent-length: 0\r\n\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
