import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { derTags, writeDer, writeOid } from '@keyturn/contract/shared/crypto/der.ts'

/** Common name, then organization. */
type Name = readonly [string, ...string[]]
type Options = {
  subject: Name
  /** The subject itself when omitted. */
  issuer?: Name
  publicKey: KeyObject
  signer: KeyObject
  from: Date
  until: Date
  dnsNames?: readonly string[]
}

/** Creates an X.509 certificate for signatures (RFC 5280), signed with RSA and SHA-256, as DER. */
export function createCertificate(options: Options): Buffer {
  const { subject, issuer = subject, publicKey, signer, from, until, dnsNames = [] } = options
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const extensions = [
    extension(oids.basicConstraints, sequence(), true),
    extension(oids.keyUsage, bits(Buffer.of(signatureAndCommitment), 6), true),
    extension(oids.subjectKeyIdentifier, octets(createHash('sha256').update(spki).digest().subarray(0, 20))),
    ...(dnsNames.length > 0 ? [extension(oids.subjectAltName, dnsNamesOf(dnsNames))] : []),
  ]
  const signed = sequence(
    writeDer(derTags.context0, writeDer(derTags.integer, Buffer.of(2))),
    // The leading one keeps the number positive and of one length.
    writeDer(derTags.integer, Buffer.concat([Buffer.of(1), randomBytes(16)])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(from), timeOf(until)),
    nameOf(subject),
    spki,
    writeDer(derTags.context3, sequence(...extensions)),
  )
  return Buffer.from(sequence(signed, algorithm, bits(sign('sha256', signed, signer), 0)))
}

const sequence = (...parts: Uint8Array[]) => writeDer(derTags.sequence, ...parts)
const octets = (bytes: Uint8Array) => writeDer(derTags.octets, bytes)
const bits = (bytes: Uint8Array, unused: number) => writeDer(0x03, Buffer.of(unused), bytes)
const oids = {
  commonName: '2.5.4.3',
  organizationName: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  subjectKeyIdentifier: '2.5.29.14',
  subjectAltName: '2.5.29.17',
}
/** SHA-256 with RSA. */
const algorithm = sequence(writeOid('1.2.840.113549.1.1.11'), writeDer(derTags.nothing))
/** The first two bits of a key's usage: digitalSignature and nonRepudiation. */
const signatureAndCommitment = 0b1100_0000

const extension = (oid: string, value: Uint8Array, isCritical = false) =>
  sequence(writeOid(oid), ...(isCritical ? [writeDer(derTags.boolean, Buffer.of(0xff))] : []), octets(value))

const dnsNamesOf = (names: readonly string[]) =>
  sequence(...names.map((name) => writeDer(0x82, Buffer.from(name))))

const nameOf = ([name, organization]: Name) =>
  sequence(
    ...(organization === undefined ? [] : [namePart(oids.organizationName, organization)]),
    namePart(oids.commonName, name),
  )

const namePart = (oid: string, text: string) =>
  writeDer(derTags.set, sequence(writeOid(oid), writeDer(0x0c, Buffer.from(text))))

/** Two digits of the year until 2049, as RFC 5280 requires. */
function timeOf(at: Date): Uint8Array {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050
    ? writeDer(derTags.utcTime, Buffer.from(digits.slice(2)))
    : writeDer(derTags.time, Buffer.from(digits))
}
