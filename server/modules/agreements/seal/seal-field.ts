import { sealTexts } from '@keyturn/contract/agreements/seal-texts.ts'

type Document = PDFKit.PDFDocument
/** What the package has and its types leave out. */
type Inside = Document & {
  _root: { data: Record<string, unknown> }
  endAcroForm(): Document
  page: { annotations: unknown[]; dictionary: unknown }
}

/** Room for the signature with a chain of certificates; what is left of it are zeros. */
const roomInBytes = 8192
/** As wide as any number that a position in the file can be. */
const laterKnown = '**********'

/**
 * The field of the seal: a signature field that is seen on no page, with its room still empty. The packages that
 * would draw it bring an old PDFKit of their own (decision 36).
 */
export function addSealField(document: Document, at: Date): void {
  const doc = document as Inside
  const seal = doc.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'adbe.pkcs7.detached',
    ByteRange: [0, laterKnown, laterKnown, laterKnown],
    Contents: Buffer.alloc(roomInBytes),
    M: at,
    Name: said('Keyturn'),
    Reason: said(sealTexts.reason),
  })
  seal.end('')
  const form = doc.struct('Form', {})
  doc.addStructure(form)
  // Without width or height: it is on the page, as a field has to be, and nothing is seen of it.
  doc.annotate(0, 0, 0, 0, {
    Subtype: 'Widget',
    FT: 'Sig',
    T: said('Seal'),
    TU: said(sealTexts.reason),
    Contents: said(sealTexts.reason),
    V: seal,
    F: printedAndLocked,
    P: doc.page.dictionary,
    structParent: form,
  } as PDFKit.Mixins.AnnotationOption)
  form.end()
  const fields = doc.ref({ SigFlags: signedAndOnlyAppended, Fields: doc.page.annotations.slice(-1) })
  doc._root.data.AcroForm = fields
  // The package's own end of a form is for fields that people fill in.
  doc.endAcroForm = () => {
    fields.end('')
    return doc
  }
}

const printedAndLocked = 4 | 128
const signedAndOnlyAppended = 1 | 2

/** PDFKit writes a string as a name, and a String as words. */
const said = (words: string) => Object(words)
