import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import { readSealedPdf } from '@keyturn/contract/agreements/sealed-pdf.ts'
import {
  asSet,
  attributeNames,
  fieldsOf,
  plainData,
  readCms,
  withTimeStamp,
  writeAttribute,
  writeCms,
} from '@keyturn/contract/shared/crypto/cms.ts'
import { type Der, derTags, emptyDer, readDer, writeDer } from '@keyturn/contract/shared/crypto/der.ts'
import { sha256 } from '../evidence-hashes.ts'
import { rangePlaceholder } from './seal-field.ts'
import type { SealKey } from './seal-key.ts'

/**
 * Fills the seal's field (`seal-field.ts`) with a signature over the rest of the file, in the form
 * of PAdES baseline B-B (ETSI EN 319 142-1).
 */
export async function sealPdf(drawn: Buffer, key: SealKey): Promise<Buffer> {
  const pdf = Buffer.from(drawn)
  const rangeAt = pdf.lastIndexOf(`\n/ByteRange ${rangePlaceholder}\n`) + '\n/ByteRange '.length
  const before = pdf.indexOf('/Contents <', rangeAt) + '/Contents '.length
  const after = pdf.indexOf('>', before) + 1
  const range = `[0 ${before} ${after} ${pdf.length - after}]`
  pdf.write(range.padEnd(rangePlaceholder.length), rangeAt, 'latin1')
  const digest = sha256(pdf.subarray(0, before), pdf.subarray(after))
  return withSignature(pdf, before, await createSignature(digest, key))
}

async function createSignature(digest: Buffer, { key, certificate, chain }: SealKey): Promise<Uint8Array> {
  const { serial, issuer } = fieldsOf(readDer(certificate) ?? emptyDer)
  const attributes = [
    writeAttribute(attributeNames.contentType, plainData),
    writeAttribute(attributeNames.messageDigest, writeDer(derTags.octets, digest)),
    writeAttribute(attributeNames.signingCertificate, certificateName(certificate)),
  ]
  // A SET in DER is sorted by its encoding.
  const signedAttributes = derOf(derTags.set, ...attributes.toSorted(Buffer.compare))
  return writeCms({
    certificates: derOf(derTags.context0, ...chain.toSorted(Buffer.compare)),
    issuerAndSerial: derOf(derTags.sequence, issuer.whole, serial.whole),
    signedAttributes,
    signature: derOf(derTags.octets, await promisify(sign)('sha256', asSet(signedAttributes), key)),
    timeStamp: null,
  })
}

/** SigningCertificateV2 (RFC 5035) with SHA-256, its default, and without issuer and number. */
function certificateName(certificate: Buffer): Uint8Array {
  const id = writeDer(derTags.sequence, writeDer(derTags.octets, sha256(certificate)))
  return writeDer(derTags.sequence, writeDer(derTags.sequence, id))
}

const derOf = (tag: number, ...parts: Uint8Array[]): Der => readDer(writeDer(tag, ...parts)) ?? emptyDer

/** Adds an authority's time stamp over the signature of a sealed PDF: PAdES baseline B-T. */
export async function stampPdf(
  sealed: Uint8Array,
  requestStamp: (signature: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  const pdf = readSealedPdf(sealed)
  const seal = pdf && readCms(pdf.cms)
  const stamped = seal && withTimeStamp(pdf.cms, await requestStamp(seal.signature))
  if (!stamped) throw new Error('The PDF has no seal to stamp')
  return withSignature(Buffer.from(sealed), pdf.covered[0].length, stamped)
}

/** Writes the signature as hexadecimal text, followed by zeros. */
function withSignature(pdf: Buffer, contentsAt: number, cms: Uint8Array): Buffer {
  const digits = pdf.indexOf('>', contentsAt) - contentsAt - 1
  const hex = Buffer.from(cms).toString('hex')
  if (hex.length > digits) throw new Error(`The seal has ${cms.length} bytes, more than fit into the PDF`)
  pdf.write(hex.padEnd(digits, '0'), contentsAt + 1, 'latin1')
  return pdf
}
