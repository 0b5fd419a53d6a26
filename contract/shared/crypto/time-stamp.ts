import { asSet, attributeIn, attributeNames, childrenOf, fieldsOf, isNamed } from './cms.ts'
import type { Cryptography, HashName, Signing } from './cryptography.ts'
import { type Der, derTags, emptyDer, readDer, readDerChildren, readDerTime, readOid } from './der.ts'
import { areBytesEqual } from './merkle.ts'

// Reads the answer of a time stamp authority (RFC 3161): a CMS signature by a key of any common
// kind, in the authority's own encoding. Who issued its certificate is not checked.

export type TimeStamp = {
  /**
   * False unless the certificate inside is one of a time stamp authority, was valid at that time,
   * is the one that the stamp names, and verifies it. Null when the algorithm is not supported here.
   */
  valid: boolean | null
  /** When the authority saw the signature. */
  at: string | null
  /** The common name in the authority's certificate. */
  authority: string
  nonce: Uint8Array | null
}

/** Returns null for anything but a time stamp over the SHA-256 of `stamped`. */
export async function readTimeStamp(
  token: Uint8Array,
  stamped: Uint8Array,
  cryptography: Cryptography,
): Promise<TimeStamp | null> {
  const whole = readDer(token)
  const [type, content] = childrenOf(whole)
  if (whole?.whole.length !== token.length || !type || readOid(type) !== oids.signedData) return null
  const data = childrenOf(childrenOf(content)[0])
  const [, , encapsulated, certificates = emptyDer] = data
  const [contentType, wrapped] = childrenOf(encapsulated)
  const info = childrenOf(wrapped)[0]
  const [signer, ...others] = childrenOf(data.at(-1))
  const [, issuerAndSerial = emptyDer, hashed, attributes = emptyDer, algorithm, signature] =
    childrenOf(signer)
  const signerCertificate = readDerChildren(certificates).map(fieldsOf).find(isNamed(issuerAndSerial))
  if (!contentType || readOid(contentType) !== oids.stampInfo || !info || others.length > 0) return null
  const { publicKey } = signerCertificate ?? {}
  if (!signerCertificate || !publicKey || !signature || attributes.tag !== derTags.context0) return null
  const stamp = readInfo(info)
  const imprint = await cryptography.digest('SHA-256', stamped)
  if (!stamp || !areBytesEqual(stamp.imprint, imprint)) return null
  const named = (name: string) => attributeIn(attributes, name) ?? emptyDer
  const hash = hashes[oidIn(hashed)]
  const signing = hash && signingOf(oidIn(algorithm), publicKey, hash)
  const coversInfo =
    hash !== undefined &&
    readOid(named(attributeNames.contentType)) === oids.stampInfo &&
    areBytesEqual(named(attributeNames.messageDigest).inside, await cryptography.digest(hash, info.inside))
  return {
    valid: signing
      ? coversInfo &&
        isAuthority(signerCertificate) &&
        isValidAt(signerCertificate, stamp.at) &&
        (await namesCertificate(named, signerCertificate.whole, cryptography)) &&
        (await cryptography.isSigned(
          publicKey.whole,
          signing.curve ? numbersOf(signature, numberLengths[signing.curve]) : signature.inside,
          asSet(attributes),
          signing,
        ))
      : null,
    at: stamp.at,
    nonce: stamp.nonce,
    authority: commonName(signerCertificate.subject),
  }
}

type Certificate = ReturnType<typeof fieldsOf>

/** The certificate's only purpose must be to stamp times, marked as critical (RFC 3161, 2.3). */
function isAuthority({ extensions }: Certificate): boolean {
  const [usage, ...others] = extensions.map(readDerChildren).filter(([name = emptyDer]) => {
    return readOid(name) === oids.extendedKeyUsage
  })
  const [, critical, value] = usage ?? []
  const [purpose, ...more] = childrenOf(readDer(value?.inside ?? emptyDer.inside))
  const isOnlyPurpose = others.length === 0 && more.length === 0
  return isOnlyPurpose && critical?.inside[0] === 0xff && readOid(purpose ?? emptyDer) === oids.timeStamping
}

function isValidAt({ validity }: Certificate, at: string | null): boolean {
  const [from, until] = childrenOf(validity).map(readDerTime)
  return at !== null && from != null && until != null && from <= at && at <= until
}

/** Each ESS attribute must name the certificate, and one must exist (RFC 3161, 2.4.2; RFC 5816). */
async function namesCertificate(
  named: (name: string) => Der,
  certificate: Uint8Array,
  cryptography: Cryptography,
): Promise<boolean> {
  const { signingCertificateV1, signingCertificate } = attributeNames
  const names = [signingCertificateV1, signingCertificate]
    .map((name) => [name, named(name)] as const)
    .filter(([, { whole }]) => whole.length > 0)
  const matches = names.map(async ([name, value]) => {
    const parts = childrenOf(childrenOf(childrenOf(value)[0])[0])
    const digest = parts.find(({ tag }) => tag === derTags.octets)
    const algorithm = parts[0]?.tag === derTags.sequence ? oidIn(parts[0]) : oids.sha256
    const hash = name === signingCertificateV1 ? 'SHA-1' : hashes[algorithm]
    return digest && hash && areBytesEqual(digest.inside, await cryptography.digest(hash, certificate))
  })
  return names.length > 0 && (await Promise.all(matches)).every(Boolean)
}

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsa: '1.2.840.113549.1.1.1',
  commonName: '2.5.4.3',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
}
const hashes: Partial<Record<string, HashName>> = {
  [oids.sha256]: 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}
/** Signature algorithms that name their hash. */
const signatures: Partial<Record<string, HashName>> = {
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512',
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512',
}
const curves: Partial<Record<string, Signing['curve']>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}
const numberLengths = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

function signingOf(algorithm: string, publicKey: Der, digested: HashName): Signing | null {
  const hash = algorithm === oids.rsa ? digested : signatures[algorithm]
  const [type, parameter = emptyDer] = childrenOf(childrenOf(publicKey)[0])
  if (!hash || !type) return null
  if (readOid(type) === oids.rsa) return { hash }
  const curve = curves[readOid(parameter)]
  return curve ? { hash, curve } : null
}

/** TSTInfo: what was stamped, and when. */
function readInfo({
  inside,
}: Der): { imprint: Uint8Array; at: string | null; nonce: Uint8Array | null } | null {
  const [, , imprint, , time = emptyDer, ...options] = childrenOf(readDer(inside))
  const [algorithm, digest] = childrenOf(imprint)
  if (!digest || oidIn(algorithm) !== oids.sha256) return null
  const nonce = options.find(({ tag }) => tag === derTags.integer)?.inside ?? null
  // To the second: a fraction of it is not needed here.
  const at = readDerTime({ ...time, inside: withoutFraction(time.inside) })
  return { imprint: digest.inside, at, nonce }
}

function withoutFraction(time: Uint8Array): Uint8Array {
  const point = time.indexOf(0x2e)
  return point < 0 ? time : Uint8Array.of(...time.subarray(0, point), ...time.subarray(-1))
}

const oidIn = (algorithm: Der | undefined): string => readOid(childrenOf(algorithm)[0] ?? emptyDer)

/** ECDSA in DER is a pair of numbers, in Web Crypto two of fixed length. */
function numbersOf(signature: Der, length: number): Uint8Array {
  const both = new Uint8Array(2 * length)
  for (const [at, { inside }] of childrenOf(readDer(signature.inside)).entries()) {
    const digits = inside.subarray(Math.max(0, inside.length - length))
    if (at < 2) both.set(digits, (at + 1) * length - digits.length)
  }
  return both
}

function commonName(subject: Der): string {
  const parts = readDerChildren(subject).flatMap(readDerChildren).map(readDerChildren)
  const name = parts.find(([type = emptyDer]) => readOid(type) === oids.commonName)?.[1]
  return name ? new TextDecoder().decode(name.inside) : ''
}
