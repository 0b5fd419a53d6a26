import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AddCleanup, freePort } from '../support/server-process.ts'
import { createTestCertificate } from './certificate.ts'
import { editOperationsFile, startProgram } from './start-program.ts'

/**
 * Starts the proxies of `operations/` as an operator does, but with other ports, paths and
 * certificates.
 */
const proxies = {
  nginx: (folder: string, ports: Ports) => {
    const site = editOperationsFile('nginx.conf', [
      [/127\.0\.0\.1:3001/, `127.0.0.1:${ports.one}`],
      [/127\.0\.0\.1:3002/, `127.0.0.1:${ports.two}`],
      [/listen 80;/, `listen 127.0.0.1:${ports.plain};`],
      [/listen 443 ssl/, `listen 127.0.0.1:${ports.tls} ssl`],
      [/\/etc\/ssl\/keyturn\/(?=fullchain)/, `${folder}/`],
      [/\/etc\/ssl\/keyturn\/(?=privkey)/, `${folder}/`],
      [/\/var\/log\/nginx\/access\.log/, join(folder, 'log')],
    ])
    writeFileSync(join(folder, 'site.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; ${user} pid ${folder}/pid; error_log ${folder}/errors; events {}
       http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
    )
    return ['nginx', '-p', folder, '-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')]
  },
  haproxy: (folder: string, ports: Ports) => {
    const all = editOperationsFile('haproxy.cfg', [
      [/127\.0\.0\.1:3001/, `127.0.0.1:${ports.one}`],
      [/127\.0\.0\.1:3002/, `127.0.0.1:${ports.two}`],
      [/bind :80\n/, `bind 127.0.0.1:${ports.plain}\n`],
      [/bind :443/, `bind 127.0.0.1:${ports.tls}`],
      [/\/etc\/haproxy\/keyturn\.pem/, join(folder, 'both.pem')],
      [/log \/dev\/log local0/, 'log stdout format raw local0'],
      // Only root can switch users.
      [/ {2}user haproxy\n {2}group haproxy\n/, process.getuid?.() === 0 ? '$&' : ''],
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), all)
    return ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')]
  },
} as const

export type ProxyName = keyof typeof proxies
type Ports = { one: number; two: number; plain: number; tls: number }

export const isInstalled = (name: ProxyName): boolean => spawnSync(name, ['-v']).status === 0

export async function startProxy(
  name: ProxyName,
  folder: string,
  servers: [number, number],
  addCleanup: AddCleanup,
) {
  const ports = { one: servers[0], two: servers[1], plain: await freePort(), tls: await freePort() }
  mkdirSync(folder, { recursive: true })
  writeCertificate(folder)
  const command = proxies[name](folder, ports)
  // HAProxy logs to standard output here, nginx to a file.
  const output = openSync(join(folder, 'log'), 'a')
  await startProgram(command, ports.tls, addCleanup, { stdio: ['ignore', output, 'pipe'] })
  closeSync(output)
  return ports
}

function writeCertificate(folder: string): void {
  const { key, certificate } = createTestCertificate('keyturn.example')
  writeFileSync(join(folder, 'fullchain.pem'), certificate)
  writeFileSync(join(folder, 'privkey.pem'), key)
  writeFileSync(join(folder, 'both.pem'), certificate + key)
}
