// @module-tag full

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestFolder, freePort } from '../support/server-process.ts'
import { isInstalled, type ProxyName, startProxy } from './proxies.ts'
import { createProxyClient } from './proxy-client.ts'

// The proxies of `operations/` must not log the secrets of email links.

const secret = 'aSecretThatOpensAnAccount'
const addresses = [
  `/password/reset?code=${secret}&exp=1`,
  `/email/verify?code=${secret}`,
  `/auth/email/verify/${secret}`,
  `/agreements/${secret}`,
  `/mail/stop?to=a&kinds=b&proof=${secret}`,
]

const names: ProxyName[] = ['nginx', 'haproxy']
describe.each(names)('%s', (name) => {
  const it = test.skipIf(!isInstalled(name))

  // R-accounts-19
  it('logs paths without queries and codes', async () => {
    const server = createServer((_request, response) => response.end('served')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { logs, get, plain } = await startLoggedProxy(name, port)
    for (const address of addresses) expect((await get(address)).text).toBe('served')
    const redirected = await fetch(`http://127.0.0.1:${plain}${addresses[0]}`, { redirect: 'manual' })
    expect(redirected.status).toBe(308)
    await vi.waitFor(() => expect(logs().match(/GET \/password\/reset HTTP/g)).toHaveLength(2))
    for (const path of ['/email/verify', '/auth/email/verify/-', '/agreements/-', '/mail/stop'])
      expect(logs()).toContain(`GET ${path} HTTP`)
    expect(logs()).not.toContain(secret)
  })

  // R-accounts-19
  it('logs no codes even when no server responds', async () => {
    const { logs, get } = await startLoggedProxy(name, await freePort())
    const replies = await Promise.all([...addresses, '/login'].map(get))
    for (const { status } of replies) expect(status).toBeGreaterThan(499)
    await vi.waitFor(() => expect(logs()).toContain('GET /login HTTP'))
    expect(logs()).not.toContain(secret)
  })
})

async function startLoggedProxy(name: ProxyName, port: number) {
  const folder = createTestFolder()
  const { tls, plain } = await startProxy(name, folder, [port, port], onTestFinished)
  const read = (file: string) => {
    try {
      return readFileSync(join(folder, file), 'utf8')
    } catch {
      return ''
    }
  }
  return {
    plain,
    get: (address: string) => createProxyClient(tls).send('GET', address),
    logs: () => read('log') + read('errors'),
  }
}
