import {
  type Der,
  derTags,
  emptyDer,
  readDer,
  readDerChildren,
  readDerTime,
  readOid,
  writeDer,
} from './der.ts'

/** The parts of a detached signature of one signer (CMS, RFC 5652), not verified yet. */
export type CmsSignature = {
  certificate: Uint8Array
  /** The certificate's public key (SubjectPublicKeyInfo). */
  publicKey: Uint8Array
  /** SHA-256 of the signed content, as claimed by the signer. */
  messageDigest: Uint8Array
  /** Signing time, as claimed by the signer. */
  signedAt: string | null
  /** The signed bytes: attributes that include the digest. */
  signedAttributes: Uint8Array
  signature: Uint8Array
}

const attributes = { messageDigest: '1.2.840.113549.1.9.4', signingTime: '1.2.840.113549.1.9.5' }

/**
 * Reads one RSA signature with SHA-256 over attributes; null for anything else. The envelope around
 * the attributes is not signed, so it must match our own encoding byte for byte. Of several
 * certificates only the signer's is used.
 */
export function readCms(bytes: Uint8Array): CmsSignature | null {
  const [, content] = childrenOf(readDer(bytes))
  const data = childrenOf(childrenOf(content)[0])
  const [signer] = childrenOf(data.at(-1))
  const certificates = data.find(({ tag }) => tag === derTags.own) ?? emptyDer
  const [, issuerAndSerial = emptyDer, , signedAttributes = emptyDer, , signature = emptyDer] =
    childrenOf(signer)
  // A missing part is empty here, so the comparison fails.
  const written = envelopeOf(certificates, issuerAndSerial, signedAttributes, signature)
  if (!areSame(written, bytes)) return null
  const own = readDerChildren(certificates).map(fieldsOf).find(isNamed(issuerAndSerial))
  const messageDigest = attributeIn(signedAttributes, attributes.messageDigest)
  if (!own?.publicKey || !messageDigest) return null
  const asSet = signedAttributes.whole.slice()
  // The envelope tags the attributes as a field, but the signature is over a SET (RFC 5652, 5.4).
  asSet[0] = derTags.set
  return {
    certificate: own.whole,
    publicKey: own.publicKey.whole,
    messageDigest: messageDigest.inside,
    signedAt: readDerTime(attributeIn(signedAttributes, attributes.signingTime) ?? emptyDer),
    signedAttributes: asSet,
    signature: signature.inside,
  }
}

const { sequence, set, own: field, octets } = derTags
const one = Uint8Array.of(0x02, 1, 1)
const nothing = Uint8Array.of(0x05, 0)
/** 1.2.840.113549, the prefix of RSA's object identifiers. */
const ofRsa = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]
const signedData = writeDer(derTags.oid, Uint8Array.of(...ofRsa, 1, 7, 2))
const plainData = writeDer(derTags.oid, Uint8Array.of(...ofRsa, 1, 7, 1))
const rsa = writeDer(sequence, writeDer(derTags.oid, Uint8Array.of(...ofRsa, 1, 1, 1)), nothing)
const sha256 = writeDer(
  sequence,
  writeDer(derTags.oid, Uint8Array.of(0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1)),
  nothing,
)

function envelopeOf(
  certificates: Der,
  issuerAndSerial: Der,
  { inside: signedAttributes }: Der,
  { inside: signature }: Der,
): Uint8Array {
  const signer = writeDer(
    sequence,
    one,
    writeDer(sequence, issuerAndSerial.inside),
    sha256,
    writeDer(field, signedAttributes),
    rsa,
    writeDer(octets, signature),
  )
  const data = [one, writeDer(set, sha256), writeDer(sequence, plainData)]
  const content = writeDer(sequence, ...data, writeDer(field, certificates.inside), writeDer(set, signer))
  return writeDer(sequence, signedData, writeDer(field, content))
}

const areSame = (some: Uint8Array, others: Uint8Array): boolean =>
  some.length === others.length && some.every((byte, at) => byte === others[at])

const childrenOf = (value: Der | null | undefined): Der[] => readDerChildren(value ?? emptyDer)

/** Fields of a certificate (RFC 5280); the version is omitted when it is the first. */
function fieldsOf(certificate: Der) {
  const [signed] = readDerChildren(certificate)
  const fields = childrenOf(signed)
  const [serial = emptyDer, , issuer = emptyDer, , , publicKey] =
    fields[0]?.tag === derTags.own ? fields.slice(1) : fields
  return { whole: certificate.whole, serial, issuer, publicKey }
}

const isNamed =
  (issuerAndSerial: Der) =>
  ({ issuer, serial }: ReturnType<typeof fieldsOf>): boolean =>
    areSame(writeDer(sequence, issuer.whole, serial.whole), issuerAndSerial.whole)

/** Rejects an attribute that occurs twice or has several values. */
function attributeIn(signedAttributes: Der, name: string): Der | null {
  const [value = null, ...more] = readDerChildren(signedAttributes)
    .map(readDerChildren)
    .filter(([type = emptyDer]) => readOid(type) === name)
    .flatMap(([, values = emptyDer]) => readDerChildren(values))
  return more.length === 0 ? value : null
}
