import { expect, test } from 'vitest'
import { drawQrCode } from './draw-qr-code.ts'
import { createPdfDocument, equalMargins, paperSizes } from './pdf-document.ts'
import { createQrCode } from './qr-code.ts'

test('tags a PDF as one document, with each piece on its own page', async () => {
  const doc = createPdfDocument({ size: paperSizes.Letter, margins: equalMargins(44), title: 'A paper' })
  const chunks: Buffer[] = []
  doc.on('data', (chunk) => chunks.push(chunk))
  doc.addStructure(doc.struct('H1', {}, () => void doc.text('A paper')))
  const link = { link: 'https://keyturn.example', alt: 'Where it leads', ink: '#000' }
  drawQrCode(doc, await createQrCode(link.link), { left: 44, top: 100, size: 90 }, link)
  doc.addPage()
  doc.addStructure(doc.struct('P', {}, () => void doc.text('More of it')))
  const ended = new Promise((resolve) => doc.once('end', resolve))
  doc.end()
  await ended
  const file = Buffer.concat(chunks).toString('latin1')
  const object = (number: string | undefined) =>
    new RegExp(`\\n${number} 0 obj\\n<<([^]*?)>>\\nendobj`).exec(file)?.[1] ?? ''
  const kidsOf = (text: string) =>
    [...(/\/K \[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(([, number]) => number)
  const kindOf = (text: string) => /\/S \/(\w+)/.exec(text)?.[1]
  const [root, ...others] = kidsOf(object(/\/StructTreeRoot (\d+) 0 R/.exec(file)?.[1])).map(object)
  expect([kindOf(root ?? ''), others]).toEqual(['Document', []])
  const pieces = kidsOf(root ?? '').map(object)
  expect(pieces.map(kindOf)).toEqual(['H1', 'Figure', 'Link', 'P'])
  const pageOf = (text: string | undefined) => /\/Pg (\d+) 0 R/.exec(text ?? '')?.[1]
  const [title, , linked, last] = pieces.map(pageOf)
  expect(linked).toBe(title)
  expect(last).not.toBe(title)
})
