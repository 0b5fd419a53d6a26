import {
  type Der,
  derTags,
  emptyDer,
  readDer,
  readDerChildren,
  readDerTime,
  readOid,
  writeDer,
  writeOid,
} from './der.ts'
import { areBytesEqual } from './merkle.ts'

/** The parts of a detached signature of one signer (CMS, RFC 5652), not verified yet. */
export type CmsSignature = {
  certificate: Uint8Array
  /** The certificate's public key (SubjectPublicKeyInfo). */
  publicKey: Uint8Array
  /** SHA-256 of the signed content, as claimed by the signer. */
  messageDigest: Uint8Array
  /** Signing time, as claimed by the signer; newer seals state it in the PDF instead. */
  signedAt: string | null
  /** Object identifier of the kind of content, as signed; empty when missing. */
  contentType: string
  /** SHA-256 of the signer's certificate (ESS, RFC 5035); null in seals before decision 77. */
  certificateHash: Uint8Array | null
  /** The signed bytes: attributes that include the digest. */
  signedAttributes: Uint8Array
  signature: Uint8Array
  /** The unsigned time stamp over the signature (RFC 3161). */
  timeStamp: Uint8Array | null
}

export const attributeNames = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  /** ESS of RFC 2634, with SHA-1; time stamps may still have it (RFC 5816). */
  signingCertificateV1: '1.2.840.113549.1.9.16.2.12',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  timeStamp: '1.2.840.113549.1.9.16.2.14',
}

/**
 * Reads one RSA signature with SHA-256 over attributes; null for anything else. The envelope around
 * the attributes is not signed, so it must match our own encoding byte for byte. Of several
 * certificates only the signer's is used.
 */
export function readCms(bytes: Uint8Array): CmsSignature | null {
  const parts = partsOf(bytes)
  // A missing part is empty here, so the comparison fails.
  if (!areBytesEqual(writeCms(parts), bytes)) return null
  const { certificates, issuerAndSerial, signedAttributes, signature, timeStamp } = parts
  const signerCertificate = readDerChildren(certificates).map(fieldsOf).find(isNamed(issuerAndSerial))
  const messageDigest = attributeIn(signedAttributes, attributeNames.messageDigest)
  if (!signerCertificate?.publicKey || !messageDigest) return null
  const named = attributeIn(signedAttributes, attributeNames.signingCertificate)
  return {
    certificate: signerCertificate.whole,
    publicKey: signerCertificate.publicKey.whole,
    messageDigest: messageDigest.inside,
    contentType: readOid(attributeIn(signedAttributes, attributeNames.contentType) ?? emptyDer),
    signedAt: readDerTime(attributeIn(signedAttributes, attributeNames.signingTime) ?? emptyDer),
    // The first certificate that the attribute names, without an algorithm: SHA-256.
    certificateHash: named && (childrenOf(childrenOf(childrenOf(named)[0])[0])[0] ?? emptyDer).inside,
    signedAttributes: asSet(signedAttributes),
    signature: signature.inside,
    timeStamp: timeStamp?.whole ?? null,
  }
}

/** Adds the time stamp to a signature; null when `readCms` would not read it. */
export const withTimeStamp = (cms: Uint8Array, timeStamp: Uint8Array): Uint8Array | null =>
  readCms(cms) && writeCms({ ...partsOf(cms), timeStamp: readDer(timeStamp) })

/** The envelope tags the attributes as a field, but the signature is over a SET (RFC 5652, 5.4). */
export const asSet = ({ inside }: Der): Uint8Array => writeDer(derTags.set, inside)

function partsOf(bytes: Uint8Array): CmsParts {
  const [, content] = childrenOf(readDer(bytes))
  const data = childrenOf(childrenOf(content)[0])
  const [signer] = childrenOf(data.at(-1))
  const certificates = data.find(({ tag }) => tag === derTags.context0) ?? emptyDer
  const [, issuerAndSerial = emptyDer, , signedAttributes = emptyDer, , signature = emptyDer, unsigned] =
    childrenOf(signer)
  const timeStamp = unsigned ? (attributeIn(unsigned, attributeNames.timeStamp) ?? emptyDer) : null
  return { certificates, issuerAndSerial, signedAttributes, signature, timeStamp }
}

export type CmsParts = Record<'certificates' | 'issuerAndSerial' | 'signedAttributes' | 'signature', Der> & {
  timeStamp: Der | null
}

const { sequence, set, context0: field, octets } = derTags
const one = Uint8Array.of(0x02, 1, 1)
const nothing = Uint8Array.of(0x05, 0)
const signedData = writeOid('1.2.840.113549.1.7.2')
export const dataType = '1.2.840.113549.1.7.1'
export const plainData = writeOid(dataType)
const rsa = writeDer(sequence, writeOid('1.2.840.113549.1.1.1'), nothing)
const sha256 = writeDer(sequence, writeOid('2.16.840.1.101.3.4.2.1'), nothing)

/** Encodes the only envelope that `readCms` accepts. */
export function writeCms(parts: CmsParts): Uint8Array {
  const { certificates, issuerAndSerial, signedAttributes, signature, timeStamp } = parts
  const signer = writeDer(
    sequence,
    one,
    writeDer(sequence, issuerAndSerial.inside),
    sha256,
    writeDer(field, signedAttributes.inside),
    rsa,
    writeDer(octets, signature.inside),
    ...(timeStamp
      ? [writeDer(derTags.context1, writeAttribute(attributeNames.timeStamp, timeStamp.whole))]
      : []),
  )
  const data = [one, writeDer(set, sha256), writeDer(sequence, plainData)]
  const content = writeDer(sequence, ...data, writeDer(field, certificates.inside), writeDer(set, signer))
  return writeDer(sequence, signedData, writeDer(field, content))
}

export const writeAttribute = (name: string, value: Uint8Array): Uint8Array =>
  writeDer(sequence, writeOid(name), writeDer(set, value))

export const childrenOf = (value: Der | null | undefined): Der[] => readDerChildren(value ?? emptyDer)

/** Fields of a certificate (RFC 5280); the version is omitted when it is the first. */
export function fieldsOf(certificate: Der) {
  const [signed] = readDerChildren(certificate)
  const fields = childrenOf(signed)
  const [serial = emptyDer, , issuer = emptyDer, validity, subject = emptyDer, publicKey, ...more] =
    fields[0]?.tag === derTags.context0 ? fields.slice(1) : fields
  const extensions = childrenOf(childrenOf(more.find(({ tag }) => tag === derTags.context3))[0])
  return { whole: certificate.whole, serial, issuer, validity, subject, publicKey, extensions }
}

export const isNamed =
  (issuerAndSerial: Der) =>
  ({ issuer, serial }: ReturnType<typeof fieldsOf>): boolean =>
    areBytesEqual(writeDer(sequence, issuer.whole, serial.whole), issuerAndSerial.whole)

/** Rejects an attribute that occurs twice or has several values. */
export function attributeIn(signedAttributes: Der, name: string): Der | null {
  const [value = null, ...more] = readDerChildren(signedAttributes)
    .map(readDerChildren)
    .filter(([type = emptyDer]) => readOid(type) === name)
    .flatMap(([, values = emptyDer]) => readDerChildren(values))
  return more.length === 0 ? value : null
}
