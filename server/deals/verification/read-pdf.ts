import { readSealedPdf, type SealedPdf } from '@keyturn/contract/deals/sealed-pdf.ts'
import type { OpenedPdf } from '@keyturn/contract/deals/verification/open.ts'
import { hexOf } from '@keyturn/contract/kit/signed-note.ts'
import { ContentInfo, SignedData } from 'pkijs'
import { tools } from './tools.ts'

/** What the PDF brings along, and whether its seal is whole, by a library that others keep. */
export async function readPdf(bytes: Uint8Array): Promise<OpenedPdf | null> {
  const pdf = readSealedPdf(bytes)
  return pdf && { package: pdf.package, proof: pdf.proof, seal: await sealOf(pdf) }
}

async function sealOf({ covered, cms }: SealedPdf): Promise<OpenedPdf['seal']> {
  try {
    const signed = new SignedData({ schema: ContentInfo.fromBER(new Uint8Array(cms)).content })
    const data = await new Blob(covered.map((part) => new Uint8Array(part))).arrayBuffer()
    const { signatureVerified, signerCertificate } = await signed.verify({
      signer: 0,
      data,
      extendedMode: true,
    })
    if (!signatureVerified || !signerCertificate || signed.signerInfos.length !== 1) return broken
    return {
      valid: true,
      fingerprint: hexOf(tools.hash(new Uint8Array(signerCertificate.toSchema().toBER()))),
    }
  } catch {
    // What cannot be read as a signature is none.
    return broken
  }
}

const broken = { valid: false, fingerprint: null }
