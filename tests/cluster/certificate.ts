import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createCertificate } from '../../server/modules/agreements/seal/create-certificate.ts'

export type TestCertificate = { key: string; certificate: string }

/** A self-signed certificate for these DNS names, valid for a day, as PEM. */
export function createTestCertificate(...names: [string, ...string[]]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = createCertificate({
    subject: [names[0]],
    publicKey,
    signer: privateKey,
    from: new Date(Date.now() - 60_000),
    until: new Date(Date.now() + 86_400_000),
    dnsNames: names,
  })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(certificate).toString(),
  }
}
