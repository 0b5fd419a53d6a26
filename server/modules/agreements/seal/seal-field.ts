import { sealTexts } from '@keyturn/contract/agreements/seal-texts.ts'
import { padesFilter } from '@keyturn/contract/agreements/sealed-pdf.ts'

type Document = PDFKit.PDFDocument
/** Members of PDFKit that its types omit. */
type Inside = Document & {
  _root: { data: Record<string, unknown> }
  endAcroForm(): Document
  page: { annotations: unknown[]; dictionary: unknown }
}

/**
 * The space for the signature, the certificates of its issuers and a time stamp with those of its
 * authority; the rest is filled with zeros.
 */
const maxSignatureBytes = 16_384
/** As wide as any byte offset in the file. */
const offsetPlaceholder = '**********'
/** As PDFKit writes it, which takes text for a name. */
export const rangePlaceholder = `[0${` /${offsetPlaceholder}`.repeat(3)}]`

/**
 * Adds the seal's signature field, invisible and still empty. Libraries that could do this bundle an
 * old PDFKit (decision 36).
 */
export function addSealField(document: Document, at: Date): void {
  const doc = document as Inside
  const seal = doc.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: padesFilter,
    ByteRange: [0, offsetPlaceholder, offsetPlaceholder, offsetPlaceholder],
    Contents: Buffer.alloc(maxSignatureBytes),
    M: at,
    Name: pdfText('Keyturn'),
    Reason: pdfText(sealTexts.reason),
  })
  seal.end('')
  const form = doc.struct('Form', {})
  doc.addStructure(form)
  // Without width or height: a field must be on a page, but this one is invisible.
  doc.annotate(0, 0, 0, 0, {
    Subtype: 'Widget',
    FT: 'Sig',
    T: pdfText('Seal'),
    TU: pdfText(sealTexts.reason),
    Contents: pdfText(sealTexts.reason),
    V: seal,
    F: printedAndLocked,
    P: doc.page.dictionary,
    structParent: form,
  } as PDFKit.Mixins.AnnotationOption)
  form.end()
  const fields = doc.ref({ SigFlags: signedAndOnlyAppended, Fields: doc.page.annotations.slice(-1) })
  doc._root.data.AcroForm = fields
  // Replaces PDFKit's own method, which expects fields that people fill in.
  doc.endAcroForm = () => {
    fields.end('')
    return doc
  }
}

const printedAndLocked = 4 | 128
const signedAndOnlyAppended = 1 | 2

/** PDFKit writes a string as a name, and a String object as text. */
const pdfText = (text: string) => Object(text)
