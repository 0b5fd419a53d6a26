import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { derTags, emptyDer, readDer, readDerChildren, writeDer } from '@keyturn/contract/shared/crypto/der.ts'

type Key = 'rsa' | 'ec'
/** Certificates that `openssl ts` refuses to use. */
type WrongKey = 'noPurpose' | 'notCritical' | 'twoPurposes'
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
  const newKeys = {
    rsa: ['rsa:3072'],
    ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
    noPurpose: ['rsa:2048'],
    notCritical: ['rsa:2048'],
    twoPurposes: ['rsa:2048'],
  } satisfies Record<Key | WrongKey, string[]>
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
      kind in { rsa: 0, ec: 0 } ? 'tsa' : kind,
    )
  }
  const authority = {
    key: 'rsa' as Key,
    digest: 'sha256',
    /** `ts1` names the certificate by its SHA-1. */
    section: 'ts' as 'ts' | 'ts1',
    change: ((answer) => answer) as Change,
    asked: 0,
    /** The header of the last request. */
    authorization: undefined as string | undefined,
  }
  const server = createServer(async (request, response) => {
    authority.asked++
    authority.authorization = request.headers.authorization
    writeFileSync(path('request.tsq'), await buffer(request))
    const { key, digest, section } = authority
    openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-section',
      section,
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
    const answer = authority.change(readFileSync(path('answer.tsr')))
    if (!answer) return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  addCleanup(() => server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  /** Signs the answer's contents again, after a change of its time. Without ESS unless `-cades`. */
  const signAgain = (answer: Buffer, key: Key | WrongKey, options = ['-cades'], at?: Date): Buffer => {
    const [status = emptyDer, token] = childrenOf(readDer(answer))
    const data = childrenOf(childrenOf(childrenOf(token)[1])[0])
    const info = Buffer.from(childrenOf(childrenOf(childrenOf(data[2])[1])[0])[0]?.whole ?? [])
    const time = info.indexOf(`${new Date().getUTCFullYear()}`)
    if (at) info.write(at.toISOString().replace(/\D/g, '').slice(0, 14), time, 'latin1')
    writeFileSync(path('info.der'), info)
    const signer = ['-signer', `${key}.pem`, '-inkey', `${key}.key`]
    const form = ['-binary', '-nodetach', '-econtent_type', '1.2.840.113549.1.9.16.1.4', '-outform', 'DER']
    const signed = openssl('cms', '-sign', '-in', 'info.der', ...form, ...signer, ...options)
    return Buffer.from(writeDer(derTags.sequence, status.whole, signed))
  }
  return Object.assign(authority, { url, root: path('ca.pem'), signAgain })
}

const childrenOf = (value: ReturnType<typeof readDer> | undefined) => readDerChildren(value ?? emptyDer)

export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

const settings = `
[ tsa ]
extendedKeyUsage = critical,timeStamping
[ noPurpose ]
keyUsage = critical,digitalSignature
[ notCritical ]
extendedKeyUsage = timeStamping
[ twoPurposes ]
extendedKeyUsage = critical,timeStamping,codeSigning
[ ts ]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500
ordering = no
tsa_name = yes
ess_cert_id_chain = no
[ ts1 ]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha1
`
