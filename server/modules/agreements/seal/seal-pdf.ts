import { privateEncrypt } from 'node:crypto'
import { SignPdf } from '@signpdf/signpdf'
import { Signer } from '@signpdf/utils'
import forge from 'node-forge'
import type { SealKey } from './seal-key.ts'

/** Fills the seal's field (`seal-field.ts`) with a CMS signature over the rest of the file. */
export const sealPdf = (pdf: Buffer, key: SealKey, at: Date): Promise<Buffer> =>
  new SignPdf().sign(pdf, new SealSigner(key), at)

/** Replaces the signer of SignPdf, which parses the key for each file and is ten times slower. */
class SealSigner extends Signer {
  private readonly seal: SealKey
  constructor(seal: SealKey) {
    super()
    this.seal = seal
  }

  override async sign(pdf: Buffer, at = new Date()): Promise<Buffer> {
    const { key, own, chain } = this.seal
    const signed = forge.pkcs7.createSignedData()
    signed.content = forge.util.createBuffer(pdf.toString('binary'))
    for (const certificate of chain) signed.addCertificate(certificate)
    const { sha256, contentType, data, signingTime, messageDigest } = forge.pki.oids as Record<string, string>
    signed.addSigner({
      key: signingWith(key),
      certificate: own,
      digestAlgorithm: sha256 ?? '',
      // EU validators require this order.
      authenticatedAttributes: [
        { type: contentType ?? '', value: data ?? '' },
        // Typed as text, but encoded as a date.
        { type: signingTime ?? '', value: at as unknown as string },
        { type: messageDigest ?? '' },
      ],
    })
    signed.sign({ detached: true })
    return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'binary')
  }
}

/** RSA with PKCS #1 v1.5 over a digest that node-forge computed. */
function signingWith(key: SealKey['key']): forge.pki.rsa.PrivateKey {
  const sign = (md: forge.md.MessageDigest) =>
    privateEncrypt(key, Buffer.concat([sha256Info, Buffer.from(md.digest().getBytes(), 'binary')])).toString(
      'binary',
    )
  return { sign } as forge.pki.rsa.PrivateKey
}

/** The DER prefix of a SHA-256 digest in a signature (RFC 8017, 9.2). */
const sha256Info = Buffer.from('3031300d060960864801650304020105000420', 'hex')
