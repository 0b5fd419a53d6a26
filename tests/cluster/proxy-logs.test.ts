// @module-tag full

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, freePort } from '../support/start.ts'
import { isThere, type ProxyName, startProxy } from './proxies.ts'
import { aVisitor } from './proxy-client.ts'

// What the proxies of `operations/` log of the URLs in email links.

const secret = 'aSecretThatOpensAnAccount'
const addresses = [
  `/password/reset?code=${secret}&exp=1`,
  `/email/verify?code=${secret}`,
  `/auth/email/verify/${secret}`,
  `/mail/stop?to=a&kinds=b&proof=${secret}`,
]

const names: ProxyName[] = ['nginx', 'haproxy']
describe.each(names)('%s', (name) => {
  const it = test.skipIf(!isThere(name))

  // R-accounts-19
  it('logs paths without queries and codes', async () => {
    const server = createServer((_request, response) => response.end('served')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { logs, ask, plain } = await aProxy(name, port)
    for (const address of addresses) expect((await ask(address)).text).toBe('served')
    const redirected = await fetch(`http://127.0.0.1:${plain}${addresses[0]}`, { redirect: 'manual' })
    expect(redirected.status).toBe(308)
    await vi.waitFor(() => expect(logs().match(/GET \/password\/reset HTTP/g)).toHaveLength(2))
    for (const path of ['/email/verify', '/auth/email/verify/-', '/mail/stop'])
      expect(logs()).toContain(`GET ${path} HTTP`)
    expect(logs()).not.toContain(secret)
  })

  // R-accounts-19
  it('logs no codes either when no server answers', async () => {
    const { logs, ask } = await aProxy(name, await freePort())
    const answers = await Promise.all([...addresses, '/login'].map(ask))
    for (const { status } of answers) expect(status).toBeGreaterThan(499)
    await vi.waitFor(() => expect(logs()).toContain('GET /login HTTP'))
    expect(logs()).not.toContain(secret)
  })
})

async function aProxy(name: ProxyName, port: number) {
  const folder = aFolder()
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
    ask: (address: string) => aVisitor(tls).send('GET', address),
    logs: () => read('log') + read('errors'),
  }
}
