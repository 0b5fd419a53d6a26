import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

type Key = 'rsa' | 'ec'
/** Changes an answer before it is sent; null: none is sent. */
type Change = (answer: Buffer) => Buffer | null

/** An authority of time stamps (RFC 3161): `openssl ts` behind HTTP, with a chain of two certificates. */
export async function startTimeStampAuthority(folder: string, addCleanup: (end: () => void) => void) {
  const path = (name: string) => join(folder, name)
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
  writeFileSync(path('tsa.cnf'), settings)
  writeFileSync(path('serial'), '01\n')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Time root',
    '-days',
    '30',
  )
  const newKeys = { rsa: ['rsa:3072'], ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'] }
  for (const [kind, options] of Object.entries(newKeys)) {
    openssl(
      'req',
      '-newkey',
      ...options,
      '-nodes',
      '-keyout',
      `${kind}.key`,
      '-out',
      `${kind}.csr`,
      '-subj',
      `/O=Example/CN=Time by ${kind}`,
    )
    openssl(
      'x509',
      '-req',
      '-in',
      `${kind}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${kind}.pem`,
      '-days',
      '30',
      '-extfile',
      'tsa.cnf',
      '-extensions',
      'tsa',
    )
  }
  const authority = {
    key: 'rsa' as Key,
    digest: 'sha256',
    change: ((answer) => answer) as Change,
    asked: 0,
    /** The header of the last request. */
    authorization: undefined as string | undefined,
  }
  const server = createServer(async (request, response) => {
    authority.asked++
    authority.authorization = request.headers.authorization
    writeFileSync(path('request.tsq'), await buffer(request))
    const { key, digest } = authority
    openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-section',
      'ts',
      '-queryfile',
      'request.tsq',
      '-inkey',
      `${key}.key`,
      '-signer',
      `${key}.pem`,
      '-chain',
      'ca.pem',
      `-${digest}`,
      '-out',
      'answer.tsr',
    )
    const answer = authority.change(execFileSync('cat', [path('answer.tsr')]))
    if (!answer) return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  addCleanup(() => server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return Object.assign(authority, { url, root: path('ca.pem') })
}

export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

const settings = `
[ tsa ]
extendedKeyUsage = critical,timeStamping
[ ts ]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500
ordering = no
tsa_name = yes
ess_cert_id_chain = no
`
