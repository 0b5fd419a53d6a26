import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

export type TestCertificate = { key: string; certificate: string }

/** A self-signed certificate for these DNS names, valid for a day, as PEM. */
export function createTestCertificate(...names: [string, ...string[]]): TestCertificate {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = forge.pki.privateKeyFromPem(pem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  certificate.setSubject([{ name: 'commonName', value: names[0] }])
  certificate.setIssuer(certificate.subject.attributes)
  certificate.setExtensions([
    { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
  ])
  certificate.sign(key, forge.md.sha256.create())
  return { key: pem, certificate: forge.pki.certificateToPem(certificate) }
}
