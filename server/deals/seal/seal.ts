import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
import type { SealKey } from './seal-key.ts'

/** Fills the seal's field (`seal-field.ts`) with a CMS signature over everything else in the file. */
export const sealed = (pdf: Buffer, { p12, password }: SealKey, at: Date): Promise<Buffer> =>
  new SignPdf().sign(pdf, new P12Signer(p12, { passphrase: password }), at)
