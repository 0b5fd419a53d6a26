import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { OctetString } from 'asn1js'
import {
  AuthenticatedSafe,
  CertBag,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from 'pkijs'
import { readDataFile, readOrCreateFile } from '../../../platform/startup/data-folder.ts'
import { createCertificate } from './create-certificate.ts'
import type { SealSource } from './seal-source.ts'

export type SealKey = {
  key: KeyObject
  /** The key's certificate and those of its issuers that the file contains, as DER. */
  certificate: Buffer
  chain: readonly Buffer[]
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

export async function parseKey(file: Buffer, passphrase: string): Promise<SealKey> {
  const password = toArrayBuffer(Buffer.from(passphrase))
  const pfx = PFX.fromBER(toArrayBuffer(file))
  await pfx.parseInternalValues({ password, checkIntegrity: true })
  const safe = pfx.parsedValue?.authenticatedSafe
  await safe?.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password })) })
  const contents: { value: SafeContents }[] = safe?.parsedValue.safeContents ?? []
  const bags = contents.flatMap(({ value }) => value.safeBags.map(({ bagValue }) => bagValue))
  // Byte for byte from the file, because encoding a certificate again could change it.
  const chain = bags.flatMap((bag) =>
    bag instanceof CertBag && bag.certValue instanceof OctetString
      ? [Buffer.from(bag.certValue.getValue())]
      : [],
  )
  const [key] = bags.flatMap((bag) =>
    bag instanceof PKCS8ShroudedKeyBag || bag instanceof PrivateKeyInfo
      ? [
          createPrivateKey({
            key: Buffer.from(bag.toSchema().toBER()),
            format: 'der',
            type: 'pkcs8',
            passphrase,
          }),
        ]
      : [],
  )
  const certificate = key && chain.find((each) => new X509Certificate(each).checkPrivateKey(key))
  if (!key || !certificate) throw new Error('The seal’s file has no certificate for its key')
  return { key, certificate, chain }
}

const years = 20

/** Generates a self-signed RSA key, which every PDF reader supports, as a PKCS#12 file. */
export async function generateSealKey(host: string): Promise<Buffer> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
  const from = new Date()
  // Backdated by a day, because clocks differ and a seal must not predate its key.
  from.setUTCDate(from.getUTCDate() - 1)
  const certificate = createCertificate({
    subject: [`Keyturn seal of ${host}`.slice(0, 64), 'Keyturn'],
    publicKey: pair.publicKey,
    signer: pair.privateKey,
    from,
    until: new Date(Date.UTC(from.getUTCFullYear() + years, 0, 1)),
  })
  return encodeKey(pair.privateKey, [certificate], '')
}

/** Encrypts the key alone: certificates are public. */
export async function encodeKey(
  key: KeyObject,
  chain: readonly Buffer[],
  passphrase: string,
): Promise<Buffer> {
  const encrypted = key.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase })
  const safeBags = [
    ...chain.map((each) => {
      const certValue = new OctetString({ valueHex: toArrayBuffer(each) })
      return new SafeBag({ bagId: bagTypes.certificate, bagValue: new CertBag({ certId: x509, certValue }) })
    }),
    new SafeBag({
      bagId: bagTypes.key,
      bagValue: PKCS8ShroudedKeyBag.fromBER(toArrayBuffer(encrypted)),
    }),
  ]
  const authenticatedSafe = new AuthenticatedSafe({
    parsedValue: { safeContents: [{ privacyMode: 0, value: new SafeContents({ safeBags }) }] },
  })
  await authenticatedSafe.makeInternalValues({ safeContents: [{}] })
  const pfx = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } })
  await pfx.makeInternalValues({
    password: toArrayBuffer(Buffer.from(passphrase)),
    iterations: 2048,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  })
  return Buffer.from(pfx.toSchema().toBER())
}

const bagTypes = { key: '1.2.840.113549.1.12.10.1.2', certificate: '1.2.840.113549.1.12.10.1.3' }
const x509 = '1.2.840.113549.1.9.22.1'

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
