import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import forge from 'node-forge'
import { readDataFile, readOrCreateFile } from '../../../platform/startup/data-folder.ts'
import type { SealSource } from './seal-source.ts'

export type SealKey = {
  key: KeyObject
  own: forge.pki.Certificate
  /** The certificate and those of its issuers that the file contains. */
  chain: readonly forge.pki.Certificate[]
}

/**
 * Loads or generates the key that seals PDFs. Runs only in a worker thread, because both are slow.
 */
export async function loadSealKey({ own, dataDir, host }: SealSource): Promise<SealKey> {
  const p12 = own
    ? readFileSync(own.p12)
    : (readDataFile(dataDir, 'seal.p12') ?? (await generateAndStore(dataDir, host)))
  return parseKey(p12, own?.password ?? '')
}

async function generateAndStore(dataDir: string, host: string): Promise<Buffer> {
  const generated = await generateSealKey(host)
  return readOrCreateFile(dataDir, 'seal.p12', () => generated)
}

function parseKey(file: Buffer, password: string): SealKey {
  const p12 = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(file.toString('binary')), false, password)
  const { certBag, pkcs8ShroudedKeyBag } = forge.pki.oids as Record<string, string>
  const bagsOf = (bagType = '') => p12.getBags({ bagType })[bagType] ?? []
  const key = bagsOf(pkcs8ShroudedKeyBag)[0]?.key as forge.pki.rsa.PrivateKey | undefined
  const chain = bagsOf(certBag).flatMap(({ cert }) => cert ?? [])
  const own = chain.find(({ publicKey }) => key?.n.equals((publicKey as forge.pki.rsa.PublicKey).n))
  if (!key || !own) throw new Error('The seal’s file has no certificate for its key')
  return { key: createPrivateKey(forge.pki.privateKeyToPem(key)), own, chain }
}

export const encodeCertificate = (certificate: forge.pki.Certificate): Buffer =>
  Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary')

const years = 20

/** Generates a self-signed RSA key, which every PDF reader supports. */
export async function generateSealKey(host: string): Promise<Buffer> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = forge.pki.privateKeyFromPem(pair.privateKey)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey)
  // The leading zero byte keeps the number positive, as X.509 requires.
  certificate.serialNumber = `00${randomBytes(16).toString('hex')}`
  const from = new Date()
  // Backdated by a day, because clocks differ and a seal must not predate its key.
  from.setUTCDate(from.getUTCDate() - 1)
  certificate.validity.notBefore = from
  certificate.validity.notAfter = new Date(Date.UTC(from.getUTCFullYear() + years, 0, 1))
  const owner = [
    { name: 'commonName', value: `Keyturn seal of ${host}`.slice(0, 64) },
    { name: 'organizationName', value: 'Keyturn' },
  ]
  certificate.setSubject(owner)
  certificate.setIssuer(owner)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(key, forge.md.sha256.create())
  const p12 = forge.pkcs12.toPkcs12Asn1(key, [certificate], '', { algorithm: 'aes256' })
  return Buffer.from(forge.asn1.toDer(p12).getBytes(), 'binary')
}
