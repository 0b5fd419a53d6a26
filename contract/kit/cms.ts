import { type Der, derTags, oidOf, partsOf, readDer, timeOf, writeDer } from './der.ts'

/** What a detached signature of one signer is made of (CMS, RFC 5652); nothing of it is checked yet. */
export type CmsSignature = {
  /** The signer's certificate, as it came along. */
  certificate: Uint8Array
  /** Its public key (SubjectPublicKeyInfo). */
  publicKey: Uint8Array
  /** SHA-256 of what was signed, as the signer says. */
  messageDigest: Uint8Array
  /** When it was signed, as the signer says. */
  signedAt: string | null
  /** What the signature is over: attributes with the digest among them. */
  signedAttributes: Uint8Array
  signature: Uint8Array
}

const attributes = { messageDigest: '1.2.840.113549.1.9.4', signingTime: '1.2.840.113549.1.9.5' }

/**
 * Null for all but one RSA signature with SHA-256 over attributes, in the one way in which it is written here: what
 * stands around the attributes is signed by nobody, and a byte that was changed there should be noticed, too. Of several
 * certificates only the signer's is looked at.
 */
export function readCms(bytes: Uint8Array): CmsSignature | null {
  const [, content] = childrenOf(readDer(bytes))
  const data = childrenOf(childrenOf(content)[0])
  const certificates = data.find(({ tag }) => tag === derTags.own)
  const [signer] = childrenOf(data.at(-1))
  const [, issuerAndSerial, , signedAttributes, , signature] = childrenOf(signer)
  if (!certificates || !issuerAndSerial || !signedAttributes || !signature) return null
  const written = envelopeOf(certificates, issuerAndSerial, signedAttributes, signature)
  if (!areSame(written, bytes)) return null
  const own = partsOf(certificates).find((each) => isNamed(each, issuerAndSerial))
  const publicKey = own && fieldsOf(own).publicKey
  const found = attributesIn(signedAttributes)
  const messageDigest = found.get(attributes.messageDigest)
  const signingTime = found.get(attributes.signingTime)
  if (!own || !publicKey || !messageDigest) return null
  const asSet = signedAttributes.whole.slice()
  // In the signature they stand as a field; signed is the set itself (RFC 5652, 5.4).
  asSet[0] = derTags.set
  return {
    certificate: own.whole,
    publicKey: publicKey.whole,
    messageDigest: messageDigest.inside,
    signedAt: signingTime ? timeOf(signingTime) : null,
    signedAttributes: asSet,
    signature: signature.inside,
  }
}

const { sequence, set, own: field, octets } = derTags
const one = Uint8Array.of(0x02, 1, 1)
const nothing = Uint8Array.of(0x05, 0)
/** 1.2.840.113549, whose signatures and algorithms these are. */
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

const childrenOf = (value: Der | null | undefined): Der[] => (value ? partsOf(value) : [])

/** Of a certificate (RFC 5280); the version is left out where it is the first. */
function fieldsOf(certificate: Der) {
  const [signed] = partsOf(certificate)
  const fields = childrenOf(signed)
  const [serial, , issuer, , , publicKey] = fields[0]?.tag === derTags.own ? fields.slice(1) : fields
  return { serial, issuer, publicKey }
}

function isNamed(certificate: Der, issuerAndSerial: Der): boolean {
  const { serial, issuer } = fieldsOf(certificate)
  const [wantedIssuer, wantedSerial] = partsOf(issuerAndSerial)
  return isSame(issuer, wantedIssuer) && isSame(serial, wantedSerial)
}

const isSame = (one: Der | undefined, other: Der | undefined): boolean =>
  one !== undefined && other !== undefined && areSame(one.whole, other.whole)

/** By what each is of; one that stands there twice, or with several values, is none. */
function attributesIn(signedAttributes: Der): Map<string, Der> {
  const found = new Map<string, Der>()
  const twice = new Set<string>()
  for (const attribute of partsOf(signedAttributes)) {
    const [type, values] = partsOf(attribute)
    const [value, ...more] = childrenOf(values)
    const name = type ? oidOf(type) : ''
    if (found.has(name) || more.length > 0 || !value) twice.add(name)
    else found.set(name, value)
  }
  for (const name of twice) found.delete(name)
  return found
}
